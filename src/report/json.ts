import type { Reporter } from "./reporter.ts";
import { shortChange } from "./shortened.ts";
import { verdictOf } from "./words.ts";

/** Everything, as schema/drift.schema.json has it. */
export const json: Reporter = {
  purpose: "for programs; its JSON Schema ships as mcp-vcr/schema/drift.schema.json",
  render(drift) {
    const { old, new: fresh, counts, compared, accepted, withheld, notes, comparisons } = drift;
    const shown = comparisons.map((each) => ({
      ...each,
      changes: each.changes.map(shortChange),
      accepted: each.accepted.map(shortChange),
    }));
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
      comparisons: shown,
    };
    return `${JSON.stringify(report, null, 2)}\n`;
  },
};
