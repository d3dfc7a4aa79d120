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
  return faults.flatMap((fault, index) => {
    const { strikes, meant } = struckOf(fault, new Aim(fault, [seed, index]), recording);
    return fault.deeds.map(({ place: { file, line, column }, words }) => ({
      place: `${file}:${line}:${column}`,
      fault: `${aimWords(fault.on)}: ${words}`,
      strikes,
      meant,
    }));
  });
}

function struckOf(fault: Fault, aim: Aim, recording: Recording): Pick<Foreseen, "strikes" | "meant"> {
  const all: Aim = new Aim({ ...fault, on: { ...fault.on, when: { kind: "always" } } }, [0, 0]);
  const clients = new Map<number, object>();
  const strikes: { label: string; asked: string }[] = [];
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
    strikes.push({ label, asked: JSON.stringify(askedOf(message)) });
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
