import type { Shape } from "../cassette/written/shape.ts";
import type { Tree } from "../cassette/written/tree.ts";
import type { JsonObject } from "../protocol/message.ts";
import type { Carrier } from "../replay/playing.ts";
import type { Recording } from "../replay/recording.ts";
import type { Out, Stage } from "./stage.ts";

/** How a client sees a fault, or why it never can, and what can be had instead. */
export type Shown = string | Impossible;

export interface Impossible {
  readonly never: string;
  readonly instead: string;
}

export function never(why: string, instead: string): Impossible {
  return { never: why, instead };
}

/** A row of the table: one fault that a server can have. */
export interface FaultRow<Value> {
  readonly name: string;
  /** Of a fault whose rows differ in their value: this row's. */
  readonly value?: string;
  /** How its value is written, by way of example. */
  readonly example: string;
  /** JSON Schema of its value. */
  readonly schema: JsonObject;
  /** What it does, in a sentence. */
  readonly about: string;
  readonly shows: Readonly<Record<Carrier, Shown>>;
  /**
   * It stands in the place of the whole answer, so the recording is not asked: a client that tries again gets what it
   * would have got the first time.
   */
  readonly instead?: true;
  /** What stands there is nothing at all. */
  readonly silent?: true;
  /** It cannot come after the first messages of an answer. */
  readonly atStart?: true;
  /** It counts the messages of an answer itself. */
  readonly counts?: true;
  /** It answers the POST itself, over whichever HTTP. */
  readonly isStatus?: true;
  /** Of these requests alone. */
  readonly only?: string;
  /** Why this recording has no such thing, where it has not. */
  readonly lacks?: (recording: Recording) => Impossible | undefined;
  read(tree: Tree, shape: Shape): Value;
  /** Continues "tools/call forecast: ". */
  explain(value: Value): string;
  stage(value: Value, out: Out): Stage;
}

/** A row whatever its value. */
export interface FaultKind extends Omit<FaultRow<never>, "read" | "explain" | "stage"> {
  read(tree: Tree, shape: Shape): Deed;
}

/** What is to be done to an answer: a fault with its value. */
export interface Deed {
  readonly kind: FaultKind;
  readonly words: string;
  stage(out: Out): Stage;
}

export function faultKind<Value>(row: FaultRow<Value>): FaultKind {
  const { read, explain, stage, ...facts } = row;
  const kind: FaultKind = {
    ...facts,
    read: (tree, shape) => {
      const value = read(tree, shape);
      return { kind, words: explain(value), stage: (out) => stage(value, out) };
    },
  };
  return kind;
}
