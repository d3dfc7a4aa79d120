import { VcrError } from "../errors.ts";
import type { Carrier } from "../replay/playing.ts";
import type { Recording } from "../replay/recording.ts";
import type { Impossible } from "./kind.ts";
import type { FaultPlan, PlacedDeed } from "./plan.ts";

/** How doors are called in a sentence. */
const OVER: Readonly<Record<Carrier, string>> = {
  stdio: "over stdio",
  http: "over Streamable HTTP",
  post: "over HTTP in the 2026-07-28 revision",
  sse: "over HTTP+SSE",
  memory: "in process",
};

/** Where a fault is to be shown. */
export interface Showing {
  readonly carrier: Carrier;
  readonly recording: Recording;
}

/** Why a fault cannot be shown there. */
function impossible({ kind }: PlacedDeed, { carrier, recording }: Showing): Impossible | undefined {
  const shown = kind.shows[carrier];
  if (typeof shown !== "string") return shown;
  return carrier === "http" ? kind.lacks?.(recording) : undefined;
}

/** The same as a sentence, and what can be had instead. */
export function impossibleWords(
  deed: PlacedDeed,
  showing: Showing,
): [message: string, hint: string] | undefined {
  const no = impossible(deed, showing);
  if (!no) return undefined;
  const { name, value } = deed.kind;
  const what = value === undefined ? name : `${name}: ${value}`;
  return [
    `${what} cannot be shown ${OVER[showing.carrier]}: ${no.never}`,
    `Possible instead: ${no.instead}.`,
  ];
}

/** @throws VcrError `usage` at the first fault that cannot be shown there */
export function refuseImpossible({ faults }: FaultPlan, showing: Showing): void {
  for (const deed of faults.flatMap(({ deeds }) => deeds)) {
    const words = impossibleWords(deed, showing);
    if (words) throw new VcrError("usage", words[0], { place: deed.place, hint: words[1] });
  }
}

/** How `serve --listen` reaches clients first of all. */
export function httpCarrierOf(recording: Recording): Carrier {
  if (recording.isPair) return "sse";
  return recording.era === "modern" ? "post" : "http";
}
