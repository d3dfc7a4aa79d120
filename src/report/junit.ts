import type { Change } from "../contract/change.ts";
import type { AcceptedChange } from "../drift/accepted.ts";
import { type Drift, failingClasses, isEmpty, type SettledComparison } from "../drift/drift.ts";
import type { Look, Reporter } from "./reporter.ts";
import { shortened } from "./shortened.ts";
import { acceptedInWords, comparedInWords, inline, NOTHING_COMPARED, nameOf, valuesOf } from "./words.ts";

/** In characters. */
const LONGEST_VALUE = 2000;
/** Of a text in a witness. */
const LONGEST_TEXT = 400;

/** The form that most CI systems read; what fails the diff is a failure, everything else passes and says what it is. */
export const junit: Reporter = {
  purpose: "test results for a CI system",
  render(drift, look) {
    const suites = drift.comparisons.map((comparison) => suiteOf(comparison, look));
    if (drift.withheld.length > 0) suites.push(withheldSuite(drift));
    if (isEmpty(drift)) suites.push(emptySuite());
    const [tests, failures] = [sum(suites, "tests"), sum(suites, "failures")];
    return [
      '<?xml version="1.0" encoding="UTF-8"?>',
      `<testsuites name="mcp-vcr diff" tests="${tests}" failures="${failures}">`,
      ...suites.map(({ text }) => text),
      "</testsuites>\n",
    ].join("\n");
  },
};

interface Suite {
  readonly tests: number;
  readonly failures: number;
  readonly skipped: number;
  readonly text: string;
}

function suiteOf(comparison: SettledComparison, { failOn }: Look): Suite {
  const name = nameOf(comparison);
  const failing = failingClasses(failOn);
  const cases = comparison.changes.map((change) =>
    caseOf(change, { name, fails: failing.includes(change.class) }),
  );
  cases.push(
    ...comparison.accepted.map((change) => acceptedCase(change, name)),
    `    <testcase classname="${attribute(name)}" name="${attribute(comparedInWords(comparison))}"/>`,
  );
  const failures = comparison.changes.filter((change) => failing.includes(change.class)).length;
  return suite(name, cases, { failures, skipped: comparison.accepted.length });
}

function emptySuite(): Suite {
  const text = `    <testcase classname="mcp-vcr" name="something was compared">
      <failure message="${attribute(NOTHING_COMPARED)}" type="nothing-compared"/>
    </testcase>`;
  return suite("mcp-vcr diff", [text], { failures: 1, skipped: 0 });
}

/** What was not asked again, as tests that were skipped. */
function withheldSuite({ new: server, withheld }: Drift): Suite {
  const cases = withheld.map(
    ({ subject, reason }) =>
      `    <testcase classname="${attribute(server)}" name="${attribute(subject)}">\n      <skipped message="${attribute(reason)}"/>\n    </testcase>`,
  );
  return suite("not asked again", cases, { failures: 0, skipped: cases.length });
}

function suite(
  name: string,
  cases: readonly string[],
  { failures, skipped }: Pick<Suite, "failures" | "skipped">,
): Suite {
  const tests = cases.length;
  const open = `  <testsuite name="${attribute(name)}" tests="${tests}" failures="${failures}" errors="0" skipped="${skipped}">`;
  return { tests, failures, skipped, text: [open, ...cases, "  </testsuite>"].join("\n") };
}

function caseOf(change: Change, { name, fails }: { readonly name: string; readonly fails: boolean }): string {
  const inner = fails
    ? `<failure message="${attribute(change.message)}" type="${attribute(change.class)}">${text(detailsOf(change))}</failure>`
    : `<system-out>${text(`${change.class}: ${change.message}\n${detailsOf(change)}`)}</system-out>`;
  return testCase(change, name, inner);
}

/** Somebody decided that it is none: it ran, and counts neither way. */
function acceptedCase(change: AcceptedChange, name: string): string {
  return testCase(change, name, `<skipped message="${attribute(`accepted: ${acceptedInWords(change)}`)}"/>`);
}

function testCase({ subject, rule, pointer }: Change, name: string, inner: string): string {
  const title = `${subject}: ${rule}${pointer === "" ? "" : ` at ${pointer}`}`;
  return `    <testcase classname="${attribute(name)}" name="${attribute(title)}">\n      ${inner}\n    </testcase>`;
}

function detailsOf({ before, after, witness }: Change): string {
  const told = valuesOf({ before, after }, LONGEST_VALUE).map(({ name, text }) => `${name}: ${text}`);
  if (witness) {
    const value = inline(shortened(witness.value, LONGEST_TEXT), LONGEST_VALUE);
    told.push(`witness, accepted by the ${witness.acceptedBy} schema: ${value}`);
  }
  return told.join("\n");
}

function sum(suites: readonly Suite[], what: "tests" | "failures"): number {
  return suites.reduce((total, each) => total + each[what], 0);
}

/** What XML 1.0 cannot hold (https://www.w3.org/TR/xml/#charsets) becomes U+FFFD. */
function text(raw: string): string {
  return raw
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}

function attribute(raw: string): string {
  return text(raw)
    .replaceAll('"', "&quot;")
    .replace(/[\t\n\r]/g, (c) => `&#${c.charCodeAt(0)};`);
}
