import type { Exchange } from "../exchange/exchange.ts";
import { labelOf } from "../protocol/methods.ts";
import { askedOf, paramsOf } from "../replay/key.ts";
import type { Recording } from "../replay/recording.ts";
import { Aim } from "./aim.ts";
import { aimWords, type Fault, type FaultPlan } from "./plan.ts";

/** What one item of a list of faults would do to a recording that is asked as it was made. */
export interface Foreseen {
  /** `faults.yaml:3:5` */
  readonly place: string;
  readonly fault: string;
  readonly strikes: readonly { readonly label: string; readonly asked: string }[];
  /** How many recorded requests it means, struck or not. */
  readonly meant: number;
}

const STREAMED: ReadonlySet<string> = new Set(["send", "ask", "outcome"]);

/**
 * Lets every recorded client ask again what it asked, and says what each fault would strike. What strikes by chance
 * strikes here as it would then.
 */
export function foresee({ seed, faults }: FaultPlan, recording: Recording): readonly Foreseen[] {
  const all = faults.map((fault, index) => struckOf(fault, new Aim(fault, [seed, index]), recording));
  return faults.flatMap((fault, index) => {
    const { strikes, meant } = all[index] as Struck;
    const beside = faults.flatMap((other, at) => (isBeside(other, fault) ? [{ other, at }] : []));
    const stands = (exchange: Exchange) => {
      const striking = beside.filter(({ at }) => all[at]?.strikes.some((each) => each.exchange === exchange));
      return standingOf(striking)?.at === index;
    };
    return fault.deeds.map(({ kind, place: { file, line, column }, words }) => ({
      place: `${file}:${line}:${column}`,
      fault: `${aimWords(fault.on)}: ${words}`,
      strikes: strikes
        .filter(({ exchange }) => !kind.instead || stands(exchange))
        .map(({ label, asked }) => ({ label, asked })),
      meant,
    }));
  });
}

interface Struck {
  readonly strikes: readonly (Foreseen["strikes"][number] & { readonly exchange: Exchange })[];
  readonly meant: number;
}

/** Both stand in the place of the same answer, where they strike the same request. */
function isBeside({ on, deeds }: Fault, fault: Fault): boolean {
  return on.afterEvents === fault.on.afterEvents && deeds.some(({ kind }) => kind.instead);
}

/** The last one does; but from the beginning, what hangs leaves nothing to those behind it. */
function standingOf<One extends { readonly other: Fault }>(striking: readonly One[]): One | undefined {
  const silent = striking.find(
    ({ other: { on, deeds } }) => on.afterEvents === 0 && deeds.some(({ kind }) => kind.silent),
  );
  return silent ?? striking.at(-1);
}

function struckOf(fault: Fault, aim: Aim, recording: Recording): Struck {
  const all: Aim = new Aim({ ...fault, on: { ...fault.on, when: { kind: "always" } } }, [0, 0]);
  const clients = new Map<number, object>();
  const strikes: Struck["strikes"][number][] = [];
  let meant = 0;
  for (const { exchange, improper } of recording.exchanges) {
    if (exchange.kind !== "request" || improper) continue;
    const client = clients.get(exchange.session) ?? {};
    clients.set(exchange.session, client);
    const { message } = recording.at(exchange);
    const target = { method: exchange.method, params: () => paramsOf(message) };
    if (all.strikes(target, [client]) !== undefined) meant++;
    if (aim.strikes(target, [client]) === undefined || messagesOf(exchange) < fault.on.afterEvents) continue;
    const label = labelOf(exchange.method ?? "", paramsOf(message));
    strikes.push({ exchange, label, asked: JSON.stringify(askedOf(message)) });
  }
  return { strikes, meant };
}

function messagesOf({ steps }: Exchange): number {
  return steps.filter(({ role, listener, standalone }) => STREAMED.has(role) && !listener && !standalone)
    .length;
}

const MOST_SHOWN = 20;
const LONGEST = 100;

/** The same for people. */
export function foreseenWords(foreseen: readonly Foreseen[]): string {
  return foreseen.flatMap((each) => [`${each.place}  ${each.fault}`, ...linesOf(each)]).join("\n");
}

function linesOf({ strikes, meant }: Foreseen): readonly string[] {
  if (strikes.length === 0)
    return [`  would never strike: ${meant} recorded ${meant === 1 ? "request is" : "requests are"} meant`];
  const lines = strikes
    .slice(0, MOST_SHOWN)
    .map(({ label, asked }) => `  would strike ${label} ${shortened(asked)}`);
  const more = strikes.length - MOST_SHOWN;
  return more > 0 ? [...lines, `  and ${more} more`] : lines;
}

function shortened(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`;
}
