import type { Reporter } from "./reporter.ts";
import { verdictOf } from "./words.ts";

/** Everything, as schema/drift.schema.json has it. */
export const json: Reporter = {
  purpose: "for programs; its JSON Schema ships as mcp-vcr/schema/drift.schema.json",
  render(drift) {
    const { old, new: fresh, counts, compared, accepted, withheld, notes, comparisons } = drift;
    const verdict = verdictOf(drift);
    const report = {
      "mcp-vcr-drift": 1,
      verdict,
      old,
      new: fresh,
      counts,
      compared,
      accepted,
      withheld,
      notes,
      comparisons,
    };
    return `${JSON.stringify(report, null, 2)}\n`;
  },
};
