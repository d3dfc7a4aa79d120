import { VcrError } from "../../errors.ts";
import type { JsonObject } from "../../protocol/message.ts";
import type {
  PromptDocument,
  ResourceDocument,
  ScenarioDocument,
  TemplateDocument,
  ToolDocument,
} from "../../scenario/define-scenario.ts";
import { type Gate, Replying, ToolReplying } from "./replying.ts";

/**
 * Of a scenario, what a mock can be made with; the server's name and version may be left out. Its faults are given
 * apart.
 */
export type MockDocument = Omit<ScenarioDocument, "scenario" | "extends" | "without" | "faults">;

/** What lists show of an item. Schemas may be constants. */
export type Listed<Document, Key extends keyof Document> = Omit<Document, Key | "replies" | Schemas> & {
  readonly [Name in keyof Document & Schemas]?: object;
};
type Schemas = "inputSchema" | "outputSchema";

type Items = "tools" | "resources" | "templates" | "prompts" | "methods";

/** What the members of each list are called by. */
const KEYS: Readonly<Record<Items, string>> = {
  tools: "name",
  resources: "uri",
  templates: "uriTemplate",
  prompts: "name",
  methods: "method",
};

/** Whatever is there may change: `notify` tells of it whenever the test likes. */
function changing(lists: readonly string[]): JsonObject {
  const has = (...names: readonly string[]) => names.some((name) => lists.includes(name));
  return {
    ...(has("tools") && { tools: { listChanged: true } }),
    ...(has("resources", "templates") && { resources: { listChanged: true, subscribe: true } }),
    ...(has("prompts") && { prompts: { listChanged: true } }),
  };
}

interface Added {
  readonly members: JsonObject;
  readonly replying: Replying<never>;
}

/** What a mock is, as far as it is said. */
export class Draft {
  readonly #document: MockDocument;
  readonly #gate: Gate;
  readonly #added: Record<Items, Map<string, Added>> = {
    tools: new Map(),
    resources: new Map(),
    templates: new Map(),
    prompts: new Map(),
    methods: new Map(),
  };

  constructor(document: MockDocument, gate: Gate) {
    this.#document = document;
    this.#gate = gate;
  }

  tool<Args>(name: string, members: Listed<ToolDocument, "name">): ToolReplying<Args> {
    return this.#add("tools", name, { members, make: (label) => new ToolReplying<Args>(label, this.#gate) });
  }

  resource(uri: string, members: Listed<ResourceDocument, "uri">): Replying<object> {
    return this.#add("resources", uri, { members, make: (label) => new Replying(label, this.#gate) });
  }

  template<Args>(uriTemplate: string, members: Listed<TemplateDocument, "uriTemplate">): Replying<Args> {
    return this.#add("templates", uriTemplate, { members, make: (label) => new Replying(label, this.#gate) });
  }

  prompt<Args>(name: string, members: Listed<PromptDocument, "name">): Replying<Args> {
    return this.#add("prompts", name, { members, make: (label) => new Replying(label, this.#gate) });
  }

  method<Params>(method: string): Replying<Params> {
    return this.#add("methods", method, { members: {}, make: (label) => new Replying(label, this.#gate) });
  }

  /** @throws VcrError `usage` for a reply that was never said */
  get document(): ScenarioDocument {
    const lists = Object.fromEntries(
      (Object.keys(KEYS) as Items[]).flatMap((list) => {
        const all = [...(this.#document[list] ?? []), ...this.#items(list)];
        return all.length > 0 ? [[list, all]] : [];
      }),
    );
    const { server = { name: "mock", version: "1.0.0" }, capabilities = {} } = this.#document;
    return {
      scenario: 1,
      ...this.#document,
      server,
      ...lists,
      capabilities: { ...changing(Object.keys(lists)), ...capabilities },
    };
  }

  #items(list: Items): readonly object[] {
    return [...this.#added[list]].map(([key, { members, replying }]) => {
      const { replies } = replying;
      return { [KEYS[list]]: key, ...members, ...(replies && { replies }) };
    });
  }

  #add<Made extends Replying<never>>(
    list: Items,
    key: string,
    { members, make }: { readonly members: object; readonly make: (label: string) => Made },
  ): Made {
    const label = `${list.slice(0, -1)} ${key}`;
    this.#gate(label);
    if (this.#added[list].has(key)) {
      throw new VcrError("usage", `there is a ${label} already`, {
        hint: `Keep what mock.${list.slice(0, -1)}("${key}") returned, and add replies to that.`,
      });
    }
    const replying = make(label);
    this.#added[list].set(key, { members: members as JsonObject, replying });
    return replying;
  }
}
