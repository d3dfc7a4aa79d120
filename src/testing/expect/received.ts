import type { JsonValue } from "../../protocol/message.ts";
import { labelOf } from "../../protocol/methods.ts";
import type { JsonRpcMessage } from "../../transport/memory.ts";
import { type Mismatch, mismatches } from "./partial.ts";
import type { Wanted } from "./wanted.ts";

/** What matchers look at. */
export interface Heard {
  /** As messages call it. */
  readonly name: string;
  readonly received: readonly JsonRpcMessage[];
  readonly misses: readonly unknown[];
  readonly explanations: readonly string[];
}

/** What a matcher found, as test runners take it. */
export interface Finding {
  readonly pass: boolean;
  readonly message: string;
  /** For runners that show a difference. */
  readonly expected?: unknown;
  readonly actual?: unknown;
}

const MOST_MISMATCHES = 5;
const MOST_LABELS = 20;
const LONGEST = 400;

/** Whether a message was received, as often as `times` says where it does. */
export function findReceived(heard: Heard, wanted: Wanted, times?: number): Finding {
  const found = heard.received.filter((message) => isWanted(message, wanted));
  const pass = times === undefined ? found.length > 0 : found.length === times;
  const what = `${wanted.method}${wanted.params === undefined ? "" : ` with\n  ${shown(wanted.params)}`}`;
  if (pass) {
    const count = times === undefined ? `, and it did: ${timesOf(found.length)}` : "";
    const often = times === undefined ? "" : `${timesOf(times)} `;
    return { pass, message: `${heard.name} was expected not to receive ${often}${what}${count}` };
  }
  const often = times === undefined ? "" : ` ${timesOf(times)}, and received it ${timesOf(found.length)}`;
  const sentence = `${heard.name} was expected to receive ${what}${often}`;
  const nearest = found.length > 0 ? undefined : nearestOf(heard.received, wanted);
  const lines = [sentence, ...nearestLines(nearest), `received ${labels(heard.received)}`];
  return {
    pass,
    message: lines.join("\n"),
    ...(nearest && { expected: wanted.params, actual: trimmed(nearest.message.params, wanted.params) }),
  };
}

export function findMisses({ name, explanations }: Heard): Finding {
  const pass = explanations.length === 0;
  return {
    pass,
    message: pass
      ? `${name} was expected to miss requests, and answered all`
      : `${name} was expected to answer all requests\n\n${explanations.join("\n\n")}`,
  };
}

function isWanted({ method, params }: JsonRpcMessage, wanted: Wanted): boolean {
  if (method !== wanted.method) return false;
  return wanted.params === undefined || mismatches(wanted.params, params ?? {}).length === 0;
}

interface Near {
  readonly message: JsonRpcMessage;
  readonly mismatches: readonly Mismatch[];
}

function nearestOf(received: readonly JsonRpcMessage[], { method, params }: Wanted): Near | undefined {
  return received
    .filter((message) => message.method === method)
    .map((message) => ({ message, mismatches: mismatches(params, message.params ?? {}) }))
    .reduce<Near | undefined>(
      (best, each) => (best && best.mismatches.length <= each.mismatches.length ? best : each),
      undefined,
    );
}

function nearestLines(nearest: Near | undefined): string[] {
  if (!nearest) return [];
  const lines = nearest.mismatches.slice(0, MOST_MISMATCHES).map(({ pointer, expected, actual }) => {
    const at = pointer === "" ? "as a whole" : `at ${pointer}`;
    const was = actual === undefined ? "received without" : `received ${shown(actual)}`;
    return `         differs ${at}: expected ${shown(expected)}, ${was}`;
  });
  const more = nearest.mismatches.length - MOST_MISMATCHES;
  if (more > 0) lines.push(`         and ${more} more`);
  return [`nearest  ${shown(trimmed(nearest.message.params, {}))}`, ...lines];
}

/** Without what the protocol adds to every request, unless that is asked about. */
function trimmed(params: object | undefined, wanted: object | undefined): object {
  const { _meta, ...rest } = { ...params } as { _meta?: unknown };
  return wanted && Object.hasOwn(wanted, "_meta") ? { ...rest, _meta } : rest;
}

function labels(received: readonly JsonRpcMessage[]): string {
  const counts = new Map<string, number>();
  for (const { method, params } of received) {
    if (method === undefined) continue;
    const label = labelOf(method, params as JsonValue | undefined);
    counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  if (counts.size === 0) return "nothing";
  const all = [...counts].map(([label, count]) => (count === 1 ? label : `${label} (${timesOf(count)})`));
  const more = all.length - MOST_LABELS;
  return [...all.slice(0, MOST_LABELS), ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
}

function timesOf(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

function shown(value: unknown): string {
  const text =
    JSON.stringify(value, (_key, each: unknown) => (each instanceof RegExp ? String(each) : each)) ??
    String(value);
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`;
}
