import { REVISIONS } from "../../../src/protocol/revisions.ts";
import type { Cite, Row, Section } from "./row.ts";

const VERSIONS = REVISIONS.map(({ version }) => version);

/** docs/coverage.md. */
export function page(sections: readonly Section[]): string {
  return [INTRODUCTION, ...sections.map(section)].join("\n");
}

const INTRODUCTION = `# What is covered

Every method, notification, HTTP status and HTTP header of the revisions ${VERSIONS[0]} to ${VERSIONS.at(-1)}: whether it is
recorded, how it is replayed, what a client of the other era gets, and which tests show it. Made from test/docs/covered
by \`npx vitest run test/docs/coverage.test.ts -u\`; the tests fail when a row has no test, cites one that is not there, or
when this page is not what the data says.
`;

const COLUMNS = ["", "from", "revisions", "recorded", "replayed", "to the other era", "besides tested by"];

function section({ title, text, through, rows }: Section): string {
  const lines = [COLUMNS, COLUMNS.map(() => "---"), ...rows.map(cells)].map(
    (row) => `| ${row.join(" | ")} |`,
  );
  const common = through.length > 0 ? ` Through all of them goes: ${through.map(link).join("; ")}.` : "";
  return `## ${title}\n\n${text}${common}\n\n${lines.join("\n")}\n`;
}

function cells({ name, from, revisions, recorded, replayed, across, tests }: Row): string[] {
  const crossing = across.test ? link({ ...across.test, title: across.is }) : across.is;
  return [`\`${name}\``, from, range(revisions), recorded, replayed, crossing, tests.map(link).join("; ")];
}

/** \`2025-03-26 to 2025-11-25\`: revisions that have something are neighbours, or all are named. */
function range(versions: readonly string[]): string {
  const [first, last] = [versions[0], versions.at(-1)];
  if (first === undefined || last === undefined) return "HTTP's own";
  if (versions.length === VERSIONS.length) return "all";
  if (first === last) return first;
  const neighbours = VERSIONS.slice(VERSIONS.indexOf(first), VERSIONS.indexOf(last) + 1);
  return neighbours.join() === versions.join() ? `${first} to ${last}` : versions.join(", ");
}

function link({ file, title }: Cite): string {
  return `[${title.replaceAll("|", "\\\\|")}](../${file})`;
}
