import type { Cite, Row, Section } from "./row.ts";

/** What keeps a table from being true: rows without a test, and tests that are not there. `read` answers undefined for no file. */
export function faultsOf(sections: readonly Section[], read: (file: string) => string | undefined): string[] {
  return sections.flatMap(({ rows, through }) =>
    faultsOfRows(
      rows.map((row) => withTests(row, through)),
      read,
    ),
  );
}

/** A row with every test that shows it. */
function withTests(row: Row, through: readonly Cite[]): Row {
  const { test } = row.across;
  return { ...row, tests: [...through, ...row.tests, ...(test ? [test] : [])] };
}

function faultsOfRows(rows: readonly Row[], read: (file: string) => string | undefined): string[] {
  const names = rows.map(nameOf);
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  return [
    ...twice.map((name) => `${name} stands in the table twice`),
    ...rows.filter(({ tests }) => tests.length === 0).map((row) => `${nameOf(row)} has no test`),
    ...rows.flatMap((row) => row.tests.flatMap((test) => strayCite(row, test, read(test.file)))),
  ];
}

function nameOf({ name, from }: Row): string {
  return `${name} (${from})`;
}

function strayCite(row: Row, { file, title }: Cite, text: string | undefined): string[] {
  if (text === undefined) return [`${nameOf(row)} cites ${file}, which is not there`];
  const quoted = JSON.stringify(title).replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  const called = new RegExp(`(\\.skip|\\.todo|\\.fails)?\\(\\s*${quoted}`).exec(text);
  if (!called) return [`${nameOf(row)} cites ${file}: "${title}", which no test is called`];
  return called[1] === undefined
    ? []
    : [`${nameOf(row)} cites ${file}: "${title}", which is not run (${called[1]})`];
}

/** Names that one side has and the other lacks. */
export function differences(ours: readonly string[], theirs: readonly string[]): string[] {
  return [
    ...theirs.filter((name) => !ours.includes(name)).map((name) => `lacks ${name}`),
    ...ours
      .filter((name) => !theirs.includes(name))
      .map((name) => `has ${name}, which the specification has not`),
  ];
}
