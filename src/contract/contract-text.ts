import type { ListName } from "../drive/pages.ts";
import type { JsonObject } from "../protocol/message.ts";
import {
  type Contract,
  type Listed,
  MEMBERS,
  NO_REVISIONS,
  type Revisions,
  repeatedIn,
  type ServerFacts,
  UNKNOWN_LIST,
} from "./contract.ts";

/** A contract as someone writes it down, with what is known of it alone. */
export interface ContractText extends Partial<Revisions> {
  readonly capabilities?: JsonObject;
  readonly instructions?: string;
  readonly serverInfo?: JsonObject;
  readonly tools?: readonly JsonObject[];
  readonly resources?: readonly JsonObject[];
  readonly resourceTemplates?: readonly JsonObject[];
  readonly prompts?: readonly JsonObject[];
  /** Lists that go on after what is written here. */
  readonly partial?: readonly ListName[];
  /** Lists whose pages have no end. */
  readonly endless?: readonly ListName[];
  /** In how many pages each list comes; 1 where nothing is said. */
  readonly pages?: Readonly<Partial<Record<ListName, number>>>;
  readonly cacheScope?: string;
}

/** Reads what is written down as a contract. Throws a TypeError at a member without its name. */
export function contractFrom(text: ContractText): Contract {
  const revisions = Object.fromEntries(
    Object.entries(NO_REVISIONS).map(([key, none]) => [key, text[key as keyof Revisions] ?? none]),
  );
  return {
    revisions: revisions as unknown as Revisions,
    server: serverOf(text),
    lists: {
      tools: listOf("tools", text),
      resources: listOf("resources", text),
      templates: listOf("templates", text),
      prompts: listOf("prompts", text),
    },
    notes: [],
  };
}

function serverOf({ capabilities, instructions, serverInfo }: ContractText): ServerFacts | undefined {
  if (capabilities === undefined && instructions === undefined && serverInfo === undefined) return undefined;
  return { capabilities: capabilities ?? {}, instructions, serverInfo, seenAt: undefined };
}

function listOf(list: ListName, text: ContractText): Listed {
  const { key, root, noun } = MEMBERS[list];
  const values = text[root as "tools"];
  if (values === undefined) return UNKNOWN_LIST;
  const members = values.map((value) => {
    const name = value[key];
    if (typeof name !== "string") throw new TypeError(`a ${noun} needs a ${key}: ${JSON.stringify(value)}`);
    return [name, { value, seenAt: undefined }] as const;
  });
  return {
    state: text.partial?.includes(list) ? "partial" : "complete",
    members: new Map(members),
    repeated: repeatedIn(members.map(([name]) => name)),
    endless: text.endless?.includes(list) ?? false,
    pages: text.pages?.[list] ?? 1,
    cacheScope: text.cacheScope,
  };
}
