import type { FilePlace } from "../errors.ts";
import type { Deed } from "./kind.ts";

/** Which requests a fault strikes. */
export interface On {
  /** Any when undefined. */
  readonly method: string | undefined;
  /** Of the tool or prompt, or the resource's URI. */
  readonly name: string | undefined;
  readonly when: When;
  /** Messages of the answer that come before. */
  readonly afterEvents: number;
  /** Requests are counted for each client by itself, or for all together. */
  readonly across: "client" | "all";
}

/** Of the requests that are meant: all, one, every n-th, each with a chance, or a client's very first. */
export type When =
  | { readonly kind: "always" | "connect" }
  | { readonly kind: "nth" | "every" | "probability"; readonly value: number };

/** One item of a list of faults. */
export interface Fault {
  readonly on: On;
  /** In the order in which they are laid. */
  readonly deeds: readonly PlacedDeed[];
}

export interface PlacedDeed extends Deed {
  readonly place: FilePlace;
}

export interface FaultPlan {
  /** What chance goes by. */
  readonly seed: number;
  readonly faults: readonly Fault[];
}

const ENDINGS: Readonly<Record<string, string>> = { one: "st", two: "nd", few: "rd", other: "th" };
const ordinals = new Intl.PluralRules("en", { type: "ordinal" });

function ordinal(value: number): string {
  return `${value}${ENDINGS[ordinals.select(value)]}`;
}

/** Which requests, in words: `the 3rd tools/call forecast`. */
export function aimWords({ method, name, when, afterEvents, across }: On): string {
  const whom = [method ?? "request", name].filter((word) => word !== undefined).join(" ");
  const words = {
    always: () => `every ${whom}`,
    connect: () => "the first request of a client",
    nth: (value: number) => `the ${ordinal(value)} ${whom}`,
    every: (value: number) => `every ${ordinal(value)} ${whom}`,
    probability: (value: number) => `${Math.round(value * 1000) / 10} % of ${whom}`,
  }[when.kind]("value" in when ? when.value : 0);
  const events = afterEvents === 0 ? "" : `, after ${afterEvents} ${afterEvents === 1 ? "event" : "events"}`;
  return `${words}${across === "all" ? " of all clients" : ""}${events}`;
}
