import type { ChangeClass } from "../contract/change.ts";
import type { AcceptedChange } from "../drift/accepted.ts";
import { isEmpty } from "../drift/drift.ts";
import { showable, showableLine, withoutCommands } from "./paint.ts";
import type { Reporter } from "./reporter.ts";
import {
  acceptedInWords,
  comparedInWords,
  countsInWords,
  fileOf,
  NOTHING_COMPARED,
  notesOf,
  valuesOf,
} from "./words.ts";

const LEVEL: Readonly<Record<ChangeClass, string>> = {
  breaking: "error",
  risky: "warning",
  compatible: "notice",
  info: "notice",
};

/** In characters. */
const LONGEST_VALUE = 200;

/**
 * Workflow commands, which GitHub shows beside the files
 * (https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions).
 */
export const github: Reporter = {
  purpose: "annotations in a GitHub workflow's log",
  render(drift) {
    const lines = drift.comparisons.flatMap((comparison) =>
      comparison.changes.map((change) => {
        const file = property(fileOf(comparison));
        const title = property(`${change.rule}: ${change.subject}`);
        const values = valuesOf(change, LONGEST_VALUE).map(({ name, text }) => `${name}: ${text}`);
        const text = [change.message, ...values].join("\n");
        return `::${LEVEL[change.class]} file=${file},title=${title}::${data(text)}`;
      }),
    );
    if (isEmpty(drift)) lines.push(`::error title=mcp-vcr diff::${data(NOTHING_COMPARED)}`);
    const accepted = drift.comparisons.flatMap((comparison) => comparison.accepted);
    // No annotation, which somebody would have to read again on every change of the file.
    lines.push(...accepted.map((change) => acceptedLine(change)));
    const notes = notesOf(drift).map((note) => `::notice title=mcp-vcr diff::${data(note)}`);
    return `${[...lines, ...notes, `${countsInWords(drift)}; ${comparedInWords(drift)}`].join("\n")}\n`;
  },
};

/** The log takes a line that begins with `::` for a command; this one never does. */
function acceptedLine(change: AcceptedChange): string {
  const text = `${change.rule} on ${change.subject}: ${acceptedInWords(change)}`;
  return withoutCommands(`accepted: ${showableLine(text)}`);
}

function data(text: string): string {
  return showable(text).replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
