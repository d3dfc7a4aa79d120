import type { FilePlace } from "../errors.ts";
import type { Outcome } from "./move.ts";

/** A request that was driven, and what came of it. */
export interface Driven {
  readonly method: string;
  /** `tools/call forecast`. */
  readonly label: string;
  readonly outcome: Outcome;
  /** Of a page: what it lists. */
  readonly listed?: Listed | undefined;
}

export interface Listed {
  /** `tool`, `resource`, … */
  readonly item: string;
  /** What tells the items apart. */
  readonly names: readonly string[];
}

/** What was not asked. */
export interface LeftOut {
  /** `tools/call`, `resources/read`, … */
  readonly method: string;
  readonly name: string;
  readonly reason: string;
}

/** A step that did not go as it had to. */
export interface FailedStep {
  readonly label: string;
  readonly reason: string;
  readonly place: FilePlace | undefined;
}

/** What a drive did, as it goes on. */
export class DriveReport {
  readonly driven: Driven[] = [];
  readonly leftOut: LeftOut[] = [];
  readonly failed: FailedStep[] = [];
  readonly notes: string[] = [];
  readonly #onAsk: (label: string, method: string) => void;

  /** @param onAsk told of each request before it is sent */
  constructor(onAsk: (label: string, method: string) => void = () => {}) {
    this.#onAsk = onAsk;
  }

  asking(label: string, method: string): void {
    this.#onAsk(label, method);
  }
}

/** Why an outcome is no plain success, or undefined when it is one. */
export function troubleOf(outcome: Outcome): string | undefined {
  switch (outcome.kind) {
    case "error":
      return `error ${outcome.error.code ?? "without a code"}: ${firstLine(outcome.error.message)}`;
    case "refused":
      return outcome.reason;
    case "timeout":
      return `no answer within ${outcome.ms} ms`;
    case "result":
      return outcome.result.isError === true ? `tool error${firstText(outcome.result.content)}` : undefined;
    default:
      return undefined;
  }
}

function firstText(content: unknown): string {
  const text = Array.isArray(content) ? (content[0] as { text?: unknown } | undefined)?.text : undefined;
  return typeof text === "string" ? `: ${firstLine(text)}` : "";
}

/** In characters. */
const LONGEST = 120;

function firstLine(text: string): string {
  const line = text.trim().split(/[\r\n]/, 1)[0] ?? "";
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}
