import type { Tree } from "../../cassette/written/tree.ts";
import type { ReplyKind, Turn } from "../model.ts";
import type { Reading } from "./reading.ts";

/** Who is answered, for what the replies may say and for messages. */
export interface ReplyContext {
  readonly kind: ReplyKind;
  /** `when` has something to match. */
  readonly matches: boolean;
  readonly reading: Reading;
  /** Reads what a function returned. */
  readonly readReturned: (tree: Tree, context: ReplyContext) => Turn;
}

export const WHAT: Readonly<Record<ReplyKind, string>> = {
  tool: "a tool's reply",
  resource: "a resource's reply",
  prompt: "a prompt's reply",
  method: "a method's reply",
};
