import type { JsonValue } from "../protocol/message.ts";

/**
 * What a change does to those who rely on the old state.
 * `breaking`   a caller that kept to the contract fails, or may be handed what it was promised not to get
 * `risky`      it may, and nobody can prove it either way
 * `compatible` it cannot notice, or must cope
 * `info`       nothing that a caller acts upon
 */
export type ChangeClass = "breaking" | "risky" | "compatible" | "info";

/** What a server promises; what it answered; how the session went. */
export type Layer = "contract" | "behaviour" | "session";

/** One difference between two states of a server: data first, a sentence second. */
export interface Change {
  /** Stable id, `tool-removed`. */
  readonly rule: string;
  readonly class: ChangeClass;
  readonly layer: Layer;
  /** What changed, for people: `tool forecast`. */
  readonly subject: string;
  /** JSON pointer (RFC 6901) into the contract, or into the answer of the exchange that `subject` names. */
  readonly pointer: string;
  /** What is different and why that matters, as one sentence. */
  readonly message: string;
  readonly before?: JsonValue | undefined;
  readonly after?: JsonValue | undefined;
  readonly witness?: Witness | undefined;
}

/** A value that one schema accepts and the other rejects: proof that callers notice. */
export interface Witness {
  readonly value: JsonValue;
  readonly acceptedBy: "old" | "new";
  /** Why the other schema rejects it, in ajv's words. */
  readonly reason: string;
  /** Taken from a recorded call or answer, or made. */
  readonly from: "recorded" | "generated";
}
