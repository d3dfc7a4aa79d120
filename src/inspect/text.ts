import { FORMAT } from "../cassette/migrations.ts";
import { counted, duration, size, sourceLine } from "./amounts.ts";
import type { Overview } from "./overview.ts";
import type { Row } from "./row.ts";
import type { Timing } from "./tally.ts";

/** An overview for a terminal, line by line. */
export function* textLines(overview: Overview): Iterable<string> {
  yield* headerLines(overview);
  yield* table(METHODS, overview.methods);
  yield* table(TOOLS, overview.tools);
  yield* timeline(overview);
}

function* headerLines({
  cassette,
  header,
  revisions,
  entries,
  sessions,
  ...whole
}: Overview): Iterable<string> {
  const { recorded, recorder, source, redacted } = header;
  const all = [counted(entries, "entry", "entries"), counted(sessions, "session"), duration(whole.duration)];
  yield printable(cassette);
  const facts: readonly (readonly [string, string])[] = [
    ["format", `${FORMAT}, recorded ${recorded} by ${recorder}`],
    ["source", sourceLine(source)],
    ["redacted", redacted?.join(", ") || "nothing"],
    ["revision", revisions.join(", ") || "none is named"],
    ["holds", `${all.join(", ")}, ${size(whole.bytes)}`],
  ];
  for (const [name, value] of facts) yield `  ${name.padEnd(9)} ${printable(value)}`;
}

interface Column<Item> {
  readonly title: string;
  readonly of: (item: Item) => string;
  readonly numeric?: boolean;
}

const ms = (pick: (timing: Timing) => number) => (item: { readonly ms?: Timing }) =>
  item.ms ? duration(pick(item.ms)) : "";
const TIMES: readonly Column<{ readonly ms?: Timing }>[] = [
  { title: "min", of: ms(({ min }) => min), numeric: true },
  { title: "median", of: ms(({ median }) => median), numeric: true },
  { title: "max", of: ms(({ max }) => max), numeric: true },
];
const METHODS: readonly Column<Overview["methods"][number]>[] = [
  { title: "method", of: ({ method }) => method },
  { title: "from", of: ({ from }) => from },
  { title: "times", of: ({ times }) => String(times), numeric: true },
  { title: "answered", of: ({ answered }) => String(answered), numeric: true },
  { title: "errors", of: ({ errors }) => String(errors), numeric: true },
  ...TIMES,
];
const TOOLS: readonly Column<Overview["tools"][number]>[] = [
  { title: "tool", of: ({ tool }) => tool },
  { title: "calls", of: ({ calls }) => String(calls), numeric: true },
  { title: "errors", of: ({ errors }) => String(errors), numeric: true },
  { title: "failures", of: ({ failures }) => String(failures), numeric: true },
  ...TIMES,
];

/** Cells longer than this are cut, in characters. */
const WIDEST = 48;

function* table<Item>(columns: readonly Column<Item>[], items: readonly Item[]): Iterable<string> {
  if (items.length === 0) return;
  const rows = [
    columns.map(({ title }) => title),
    ...items.map((item) => columns.map(({ of }) => cut(of(item)))),
  ];
  const widths = columns.map((_, index) => Math.max(...rows.map((row) => (row[index] as string).length)));
  yield "";
  for (const row of rows) {
    const cells = row.map((cell, index) => {
      const width = widths[index] as number;
      return columns[index]?.numeric ? cell.padStart(width) : cell.padEnd(width);
    });
    yield `  ${cells.join("  ")}`.trimEnd();
  }
}

function cut(text: string): string {
  const line = printable(text);
  return line.length > WIDEST ? `${line.slice(0, WIDEST - 1)}…` : line;
}

function* timeline({ timeline: rows, rows: all, sessions, duration: whole }: Overview): Iterable<string> {
  yield "";
  yield rows.length === all ? "  timeline" : `  timeline, ${rows.length} of ${counted(all, "row")}`;
  const wide = Math.max(6, String(whole).length + 3);
  for (const row of rows) yield `  ${`${row.at} ms`.padStart(wide)}  ${rowText(row, sessions > 1)}`.trimEnd();
}

function rowText(row: Row, several: boolean): string {
  const session = several ? `[${row.session}] ` : "";
  const arrow = row.from === "client" ? "→" : "←";
  const indent = row.item === undefined ? "" : "  ";
  const http = row.kind !== "http" && row.http?.status !== undefined ? `, HTTP ${row.http.status}` : "";
  const took = row.ms === undefined ? "" : `, after ${duration(row.ms)}`;
  const id = row.id === undefined ? "" : ` #${row.id}`;
  return printable(`${session}${arrow} ${indent}${row.label}${id}${took}${http}`);
}

/** A terminal does what control characters say, and a cassette is a stranger's. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "\ufffd");
}
