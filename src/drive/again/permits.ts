import { memberAt } from "../../protocol/member.ts";
import type { JsonValue, Message } from "../../protocol/message.ts";
import { paramsOf } from "../../replay/key.ts";
import type { Course } from "../move.ts";

/** Asks a person whether a tool may be called. */
export type AskPermission = (tool: string) => Promise<boolean>;

/**
 * Which tools may be called: those that the server says only read (`readOnlyHint`), and what else a person allows. What
 * a tool is annotated with is taken from the server that is asked now: the recorded one may have been another.
 */
export class Permits {
  readonly #readOnly = new Map<string, boolean>();
  readonly #decided = new Map<string, boolean>();
  #learned = false;
  readonly #ask: AskPermission | boolean;

  /** @param ask `true` allows every tool, `false` none that may change things */
  constructor(ask: AskPermission | boolean) {
    this.#ask = ask;
  }

  /** A page of `tools/list`. */
  learn(result: JsonValue | undefined): void {
    const tools = memberAt(result, "tools");
    this.#learned ||= Array.isArray(tools);
    for (const tool of Array.isArray(tools) ? tools : []) {
      const name = memberAt(tool, "name");
      if (typeof name !== "string") continue;
      this.#readOnly.set(name, memberAt(tool, "annotations", "readOnlyHint") === true);
    }
  }

  /** Whether the server has told its tools, and this one is none of them. */
  isUnlisted(tool: string): boolean {
    return this.#learned && !this.#readOnly.has(tool);
  }

  /** Undefined while nobody has decided. */
  of(tool: string): boolean | undefined {
    if (this.#readOnly.get(tool) === true) return true;
    return typeof this.#ask === "boolean" ? this.#ask : this.#decided.get(tool);
  }

  /** Resolves when it is decided. */
  async decide(tool: string): Promise<void> {
    if (typeof this.#ask !== "boolean") this.#decided.set(tool, await this.#ask(tool).catch(() => false));
  }
}

/** Why a request must not be made, for the tool that it calls. Waits until a person has decided. */
export function* refusalOf(message: Message, permits: Permits, wake: () => void): Course<string | undefined> {
  const tool = memberAt(paramsOf(message), "name");
  if (message.method !== "tools/call" || typeof tool !== "string") return undefined;
  if (permits.of(tool) === undefined) {
    let decided = false;
    permits.decide(tool).then(() => {
      decided = true;
      wake();
    });
    yield { type: "watch", until: () => decided };
  }
  if (permits.of(tool) === true) return undefined;
  return permits.isUnlisted(tool)
    ? "not among the tools that the server lists now, and not allowed"
    : "not annotated readOnlyHint: true, and not allowed";
}
