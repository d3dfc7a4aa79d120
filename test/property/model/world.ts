import fc from "fast-check";
import { META } from "../../../src/protocol/revisions.ts";

/** What the server does in a call before it answers. */
export type Doing = "progress" | "log" | "ask";

/** How a call ends: `hang` is answered by nobody, so its client gives it up. */
export type Ending = "result" | "toolError" | "error" | "hang";

export interface Behaviour {
  readonly doings: readonly Doing[];
  readonly ending: Ending;
}

/** A server: what its tools do when called with argument 0 or 1, and over how many pages it lists them. */
export interface World {
  readonly era: "legacy" | "modern";
  readonly transport: "stdio" | "http";
  readonly tools: readonly (readonly [Behaviour, Behaviour])[];
  readonly pages: number;
}

export type Deed =
  | { readonly do: "call"; readonly tool: number; readonly arg: number; readonly token: boolean }
  /** Every page, one after the other. */
  | { readonly do: "list" };

export type Call = Extract<Deed, { do: "call" }>;

/** One client: what it does, and when whose turn it is. */
export interface Life {
  readonly deeds: readonly Deed[];
  readonly turns: readonly number[];
  /** So many deeds may wait for their answers at once. */
  readonly atOnce: number;
}

const TOOLS = 4;

const anyBehaviour: fc.Arbitrary<Behaviour> = fc.record({
  doings: fc.array(fc.constantFrom<Doing>("progress", "progress", "log", "ask"), { maxLength: 4 }),
  ending: fc.constantFrom<Ending>("result", "result", "result", "toolError", "error", "hang"),
});

export const anyWorld: fc.Arbitrary<World> = fc.record({
  era: fc.constantFrom("legacy", "modern"),
  transport: fc.constantFrom("stdio", "http"),
  tools: fc.array(fc.tuple(anyBehaviour, anyBehaviour), { minLength: TOOLS, maxLength: TOOLS }),
  pages: fc.integer({ min: 1, max: 4 }),
});

const anyDeed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("call" as const),
      tool: fc.nat({ max: TOOLS - 1 }),
      arg: fc.nat({ max: 1 }),
      token: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: "list" as const }) },
);

export const anyLife: fc.Arbitrary<Life> = fc.record({
  deeds: fc.array(anyDeed, { maxLength: 9 }),
  turns: fc.array(fc.nat({ max: 997 }), { minLength: 1, maxLength: 40 }),
  atOnce: fc.integer({ min: 1, max: 3 }),
});

export function behaviourOf({ tools }: World, { tool, arg }: Call): Behaviour {
  return (tools[tool] as readonly Behaviour[])[arg] as Behaviour;
}

/** What the server answers a client's nth equal call with; each answer of a world is another. */
export function endOf(world: World, call: Call, client: string, nth: number): Record<string, unknown> {
  const { ending } = behaviourOf(world, call);
  const text = `${client} ${call.tool}.${call.arg} ${nth}`;
  if (ending === "error") return { error: { code: -31_000 - call.tool, message: text } };
  const isError = ending === "toolError" ? { isError: true } : {};
  return { result: { ...completeOf(world), content: [{ type: "text", text }], ...isError } };
}

/** Page `page` of the list, with the cursor of the next one, which each client gets another of. */
export function pageOf(world: World, client: string, page: number): Record<string, unknown> {
  const more = page + 1 < world.pages ? { nextCursor: `${client}:${page + 1}` } : {};
  const tools = [{ name: `tool-${page}`, inputSchema: { type: "object" } }];
  const caching = world.era === "modern" ? { ttlMs: 0, cacheScope: "private" } : {};
  return { ...completeOf(world), ...caching, tools, ...more };
}

function completeOf({ era }: World): Record<string, unknown> {
  if (era === "legacy") return {};
  return { resultType: "complete", _meta: { [META.serverInfo]: { name: "model", version: "1" } } };
}
