import type { JsonValue } from "../../protocol/message.ts";
import { labelOf } from "../../protocol/methods.ts";
import type { JsonRpcMessage } from "../../transport/memory.ts";
import { type Mismatch, mismatches } from "./partial.ts";
import { plainOf, type Showing, shown, valueAt } from "./shown.ts";
import type { Wanted } from "./wanted.ts";

/** What matchers look at. */
export interface Heard extends Showing {
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

/** Whether a message was received, as often as `times` says where it does. */
export function findReceived(heard: Heard, wanted: Wanted, times?: number): Finding {
  const found = heard.received.filter((message) => isWanted(message, wanted));
  const pass = times === undefined ? found.length > 0 : found.length === times;
  const told = wanted.params && redactedIn(heard, wanted.method, plainOf(wanted.params));
  const what = `${wanted.method}${told === undefined ? "" : ` with\n  ${shown(told)}`}`;
  if (pass) {
    const count = times === undefined ? `, and it did: ${timesOf(found.length)}` : "";
    const often = times === undefined ? "" : `${timesOf(times)} `;
    return { pass, message: `${heard.name} was expected not to receive ${often}${what}${count}` };
  }
  const often = times === undefined ? "" : ` ${timesOf(times)}, and received it ${timesOf(found.length)}`;
  const sentence = `${heard.name} was expected to receive ${what}${often}`;
  const nearest = found.length > 0 ? undefined : nearestOf(heard.received, wanted);
  const near = nearest && redactedIn(heard, wanted.method, nearest.message.params ?? {});
  const lines = [sentence, ...nearestLines(nearest, { near, told }), `received ${labels(heard)}`];
  return {
    pass,
    message: lines.join("\n"),
    ...(near && { expected: heard.redacted ? told : wanted.params, actual: trimmed(near, wanted.params) }),
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

function redactedIn({ redacted }: Heard, method: string, params: object): object {
  return redacted?.(method, params) ?? params;
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

interface Redacted {
  readonly near: object | undefined;
  readonly told: object | undefined;
}

function nearestLines(nearest: Near | undefined, { near, told }: Redacted): string[] {
  if (!nearest) return [];
  const lines = nearest.mismatches.slice(0, MOST_MISMATCHES).map(({ pointer }) => {
    const [expected, actual] = [valueAt(told, pointer), valueAt(near, pointer)];
    const at = pointer === "" ? "as a whole" : `at ${pointer}`;
    const was = actual === undefined ? "received without" : `received ${shown(actual)}`;
    return `         differs ${at}: expected ${shown(expected)}, ${was}`;
  });
  const more = nearest.mismatches.length - MOST_MISMATCHES;
  if (more > 0) lines.push(`         and ${more} more`);
  return [`nearest  ${shown(trimmed(near, {}))}`, ...lines];
}

/** Without what the protocol adds to every request, unless that is asked about. */
function trimmed(params: object | undefined, wanted: object | undefined): object {
  const { _meta, ...rest } = { ...params } as { _meta?: unknown };
  return wanted && Object.hasOwn(wanted, "_meta") ? { ...rest, _meta } : rest;
}

function labels(heard: Heard): string {
  const counts = new Map<string, number>();
  for (const { method, params } of heard.received) {
    if (method === undefined) continue;
    const label = labelOf(method, params && (redactedIn(heard, method, params) as JsonValue));
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
