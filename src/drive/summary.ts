import { type Driven, type DriveReport, type LeftOut, troubleOf } from "./report.ts";
import type { DriveEnd } from "./script.ts";

export interface SummaryOf {
  /** The cassette. */
  readonly file: string;
  readonly report: DriveReport;
  readonly end: DriveEnd;
}

/** What a drive recorded and what it left out, for people: some lines. */
export function summaryOf({ file, report, end }: SummaryOf): string {
  const { server = "a server", version } = nameOf(end);
  const lines = [
    `${file}: recorded ${counted(report.driven.length, "request")} to ${server} (${version})`,
    ...byMethod(report.driven),
    ...report.driven.flatMap(({ label, outcome }) => {
      const trouble = troubleOf(outcome);
      return trouble === undefined ? [] : [`  ${label}: ${trouble}`];
    }),
    ...leftOut(report.leftOut),
    ...report.notes.map((note) => `note: ${note}`),
    ...report.failed.map((failed) => failedLine(failed)),
    ...(end.cut === undefined ? [] : [`not driven to its end: ${end.cut}`]),
  ];
  return lines.map(printable).join("\n");
}

function nameOf({ opened }: DriveEnd): { server: string | undefined; version: string } {
  return { server: opened.server, version: opened.version };
}

function failedLine({ label, reason, place }: DriveReport["failed"][number]): string {
  const where = place === undefined ? "" : `${place.file}:${place.line}: `;
  return `failed: ${where}${label}: ${reason}`;
}

/** `  tools/list  2 pages, 13 tools`. */
function byMethod(driven: readonly Driven[]): string[] {
  const rows = [...grouped(driven, ({ method }) => method)].map(
    ([method, all]) => [method, told(all)] as const,
  );
  const width = Math.max(0, ...rows.map(([method]) => method.length));
  return rows.map(([method, text]) => `  ${method.padEnd(width)}  ${text}`);
}

function told(all: readonly Driven[]): string {
  const pages = all.filter(({ listed }) => listed !== undefined);
  const troubled = all.filter(({ outcome }) => troubleOf(outcome) !== undefined).length;
  const parts: string[] = [];
  if (pages.length > 0) {
    const names = new Set(pages.flatMap(({ listed }) => listed?.names ?? []));
    parts.push(counted(pages.length, "page"), counted(names.size, pages[0]?.listed?.item ?? "item"));
  }
  const plain = all.length - pages.length - troubled;
  if (plain > 0) parts.push(counted(plain, "answer"));
  if (troubled > 0) parts.push(`${troubled} without success`);
  return parts.join(", ");
}

/** Names listed of those that were left out for one reason. */
const MOST_NAMES = 5;

function leftOut(all: readonly LeftOut[]): string[] {
  return [...grouped(all, ({ method, reason }) => `${method} ${reason}`).values()].map((group) => {
    const { method, reason } = group[0] as LeftOut;
    const names = group.flatMap(({ name }) => (name === "" ? [] : [name]));
    const more = names.length > MOST_NAMES ? `, and ${names.length - MOST_NAMES} more` : "";
    const who = names.length === 0 ? "" : ` ${names.slice(0, MOST_NAMES).join(", ")}${more}`;
    return `left out: ${method}${who}: ${reason}`;
  });
}

/** Names and messages are the server's: what would break a line or steer a terminal is shown as such. */
function printable(line: string): string {
  return line.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, "\ufffd");
}

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
