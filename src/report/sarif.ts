import type { Change, ChangeClass } from "../contract/change.ts";
import type { AcceptedChange } from "../drift/accepted.ts";
import { isEmpty } from "../drift/drift.ts";
import { ruleOf } from "../drift/rules.ts";
import { VERSION } from "../version.ts";
import type { Reporter } from "./reporter.ts";
import { acceptedInWords, fileOf, NOTHING_COMPARED, notesOf, valuesOf } from "./words.ts";

const LEVEL: Readonly<Record<ChangeClass, "error" | "warning" | "note">> = {
  breaking: "error",
  risky: "warning",
  compatible: "note",
  info: "note",
};

const SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
const NOTHING = "nothing-compared";
/** In characters. */
const LONGEST_VALUE = 500;

/** Static Analysis Results Interchange Format 2.1.0 (https://docs.oasis-open.org/sarif/sarif/v2.1.0/). */
export const sarif: Reporter = {
  purpose: "code scanning (SARIF 2.1.0)",
  render(drift) {
    const results: object[] = drift.comparisons.flatMap((comparison) => {
      const { changes, accepted } = comparison;
      const file = fileOf(comparison);
      return [
        ...changes.map((change) => resultOf(change, file)),
        ...accepted.map((change) => ({ ...resultOf(change, file), suppressions: [suppressionOf(change)] })),
      ];
    });
    if (isEmpty(drift))
      results.push({ ruleId: NOTHING, level: "error", message: { text: NOTHING_COMPARED } });
    // Section 3.27.23: where one result has suppressions all have them, be there any or not.
    const all = drift.accepted > 0 ? results.map((each) => ({ suppressions: [], ...each })) : results;
    const ids = new Set(
      drift.comparisons.flatMap(({ changes, accepted }) => [...changes, ...accepted].map(({ rule }) => rule)),
    );
    const rules: object[] = [...ids].sort().map(describe);
    if (isEmpty(drift)) rules.push({ id: NOTHING, shortDescription: { text: "Nothing was compared" } });
    const driver = { name: "mcp-vcr", semanticVersion: VERSION, rules };
    const run = { tool: { driver }, ...invocations(notesOf(drift)), results: all };
    return `${JSON.stringify({ $schema: SCHEMA, version: "2.1.0", runs: [run] }, null, 2)}\n`;
  },
};

/** What the reader should know besides: section 3.20.21. */
function invocations(notes: readonly string[]): object {
  if (notes.length === 0) return {};
  const toolExecutionNotifications = notes.map((text) => ({ level: "note", message: { text } }));
  return { invocations: [{ executionSuccessful: true, toolExecutionNotifications }] };
}

function describe(id: string): object {
  const rule = ruleOf(id);
  return rule
    ? { id, shortDescription: { text: rule.title }, fullDescription: { text: rule.reason } }
    : { id };
}

function resultOf(change: Change, file: string): object {
  const { rule, subject, pointer, layer } = change;
  return {
    ruleId: rule,
    level: LEVEL[change.class],
    message: { text: textOf(change) },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: uriOf(file) } },
        logicalLocations: [
          { name: subject, fullyQualifiedName: `${subject} ${pointer}`.trim(), kind: layer },
        ],
      },
    ],
    partialFingerprints: { "change/v1": `${file}|${rule}|${subject}|${pointer}` },
    properties: { class: change.class },
  };
}

/** Section 3.35: an accepted change shows as one that somebody has dismissed. */
function suppressionOf(change: AcceptedChange): object {
  return { kind: "external", status: "accepted", justification: acceptedInWords(change) };
}

function textOf(change: Change): string {
  const values = valuesOf(change, LONGEST_VALUE).map(
    ({ name, text }) => ` ${name === "old" ? "Old" : "New"}: ${text}.`,
  );
  return `${change.subject}: ${change.message}${values.join("")}`;
}

/** A path as a relative reference (RFC 3986). */
function uriOf(path: string): string {
  return path.split(/[\\/]/).map(encodeURIComponent).join("/");
}
