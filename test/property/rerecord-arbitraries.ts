import fc from "fast-check";
import type { Entry } from "../../src/exchange/entry.ts";
import { client, error, notice, request, result, server } from "../cases/tape.ts";
import { merged } from "./replay-arbitraries.ts";

/** What happens in a strand: one call, and what follows from its answer. */
export interface Strand {
  /** Which tool is called: strands differ in it. */
  readonly tool: string;
  readonly doings: readonly ("progress" | "log" | "ask")[];
  /** What the call leads to. */
  readonly leads: "nothing" | "error" | "task" | "pages" | "state";
  /** What the answer says. */
  readonly text: string;
  /** How often a task is asked for, how many pages there are. */
  readonly times: number;
}

const anyLead = fc.constantFrom<Strand["leads"]>("nothing", "error", "task", "pages", "state");

export const anyStrands: fc.Arbitrary<Strand[]> = fc
  .array(
    fc.record({
      doings: fc.array(fc.constantFrom("progress" as const, "log" as const, "ask" as const), {
        maxLength: 3,
      }),
      leads: anyLead,
      text: fc.string({ maxLength: 12 }),
      times: fc.integer({ min: 1, max: 3 }),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((all) => all.map((each, index) => ({ ...each, tool: `tool${index}` })));

/** Everything that differs from run to run. */
export interface Run {
  /** Ids and tokens count from here. */
  readonly from: number;
  readonly idsAreText: boolean;
  /** Stands in what the server mints. */
  readonly salt: string;
  /** Whose turn it is. */
  readonly turns: readonly number[];
  /** Milliseconds between entries. */
  readonly pace: number;
}

export const anyRun: fc.Arbitrary<Run> = fc.record({
  from: fc.nat({ max: 50 }),
  idsAreText: fc.boolean(),
  salt: fc.stringMatching(/^[a-f0-9]{8}$/),
  turns: fc.array(fc.nat({ max: 50 }), { minLength: 1, maxLength: 40 }),
  pace: fc.integer({ min: 1, max: 90 }),
});

/** Numbers and names of one run, in the order in which they are needed. */
class Counter {
  #ids: number;
  readonly #run: Run;
  constructor(run: Run) {
    this.#run = run;
    this.#ids = run.from;
  }
  id(): string | number {
    const id = this.#ids++;
    return this.#run.idsAreText ? `id-${id}` : id;
  }
  minted(what: string): string {
    return `${what}-${this.#run.salt}-${this.#ids++}`;
  }
}

type Step = (names: Counter) => Entry[];

/** A recording over HTTP of strands that run at once; `apart`: each on a connection of its own. */
export function recordingOf(strands: readonly Strand[], run: Run, apart = false): Entry[] {
  const names = new Counter(run);
  const sessions: string[] = [];
  const steps = merged(
    strands.map((strand) => stepsOf(strand).map((step) => ({ step, tool: strand.tool }))),
    run.turns,
  );
  const entries = steps.flatMap(({ step, tool }) => {
    if (!sessions.includes(tool)) sessions.push(tool);
    const session = apart ? sessions.indexOf(tool) + 1 : 1;
    return step(names).map((entry) => ({ ...entry, session }));
  });
  return entries.map((entry, index) => ({ ...entry, at: index * run.pace }));
}

const post = { http: { method: "POST", path: "/mcp" } } as const;

/** What a strand does, step by step; each makes its names when it comes to it, as a server does. */
function stepsOf(strand: Strand): Step[] {
  let id: string | number = 0;
  let token: string | number = 0;
  let minted = "";
  const on = () => ({ on: { id: JSON.stringify(id) } });
  const call =
    (method: string, params: () => object): Step =>
    (names) => {
      id = names.id();
      token = names.id();
      return [client(request(id, method, { ...params(), _meta: { progressToken: token } }), post)];
    };
  const answer =
    (value: () => object): Step =>
    (names) => [server(result(id, value()), { ...on(), event: { id: names.minted("event") } })];
  const doing =
    (kind: Strand["doings"][number], index: number): Step =>
    (names) => {
      const label = `${strand.tool} ${index}`;
      if (kind === "log") return [server(notice("notifications/message", { data: label }), on())];
      if (kind === "progress") {
        return [server(notice("notifications/progress", { progressToken: token, progress: index }), on())];
      }
      const ask = `ask ${names.minted("q")}`;
      return [
        server(request(ask, "elicitation/create", { message: label }), on()),
        client(result(ask, { action: "accept", content: { label } }), post),
      ];
    };
  const mint: Step = (names) => {
    minted = names.minted("minted");
    return [];
  };
  const { tool, text } = strand;
  const content = [{ type: "text", text }];
  const base = [call("tools/call", () => ({ name: tool, arguments: {} })), ...strand.doings.map(doing)];
  const times = Array.from({ length: strand.times }, (_, time) => time);
  switch (strand.leads) {
    case "nothing":
      return [...base, answer(() => ({ content }))];
    case "error":
      return [...base, () => [server(error(id as number, -32000, text), on())]];
    case "task":
      return [
        ...base,
        mint,
        answer(() => ({
          task: { taskId: minted, status: "working", createdAt: `at ${minted.length}`, ttl: minted.length },
        })),
        ...times.flatMap((time) => [
          call("tasks/get", () => ({ taskId: minted })),
          answer(() => ({ taskId: minted, status: `${text} ${time}`, lastUpdatedAt: `at ${id}` })),
        ]),
      ];
    case "state":
      return [
        ...base,
        mint,
        answer(() => ({ resultType: "input_required", requestState: minted })),
        call("tools/call", () => ({ name: tool, arguments: {}, requestState: minted })),
        answer(() => ({ content })),
      ];
    case "pages":
      return [
        ...base,
        answer(() => ({ content })),
        ...times.flatMap((time) => [
          call("tools/list", () => ({ tool, ...(time > 0 && { cursor: minted }) })),
          mint,
          answer(() => ({ tools: [{ name: `${text} ${time}` }], nextCursor: minted })),
        ]),
      ];
  }
}
