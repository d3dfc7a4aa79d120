import { type FaultKind, faultKind, never } from "../kind.ts";
import type { Stage } from "../stage.ts";

const NO_STDOUT = never("messages do not go over stdout", "malformed");

const encoder = new TextEncoder();

/** What does not belong on stdout. */
export const NOISE: readonly FaultKind[] = [
  faultKind<string>({
    name: "noise",
    example: "Server running on stdio",
    schema: { type: "string", minLength: 1 },
    about: "Lines on stdout that are no messages, before the answer.",
    shows: { stdio: "the lines", http: NO_STDOUT, post: NO_STDOUT, sse: NO_STDOUT, memory: NO_STDOUT },
    read: (tree, shape) => {
      const text = shape.text(tree, "noise");
      if (text !== "") return text;
      throw shape.fault(tree.at, "noise must say something");
    },
    explain: (text) => `noise on stdout, ${JSON.stringify(text)}`,
    stage: (text, out): Stage => {
      let made = false;
      const make = () => {
        if (made) return;
        made = true;
        out.struck();
        for (const line of text.trimEnd().split(/\r?\n/)) {
          out.next({ type: "send", bytes: encoder.encode(line), on: out.request.id, stream: "own" });
        }
      };
      return {
        turn: make,
        take: (action) => {
          make();
          out.next(action);
        },
      };
    },
  }),
];
