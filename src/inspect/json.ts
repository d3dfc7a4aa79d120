import { toBase64 } from "../cassette/base64.ts";
import { FORMAT } from "../cassette/migrations.ts";
import { onJson } from "../cassette/spelling.ts";
import type { Body } from "../exchange/entry.ts";
import { textOf } from "../protocol/message.ts";
import { singleLine } from "../wire/single-line.ts";
import type { Overview } from "./overview.ts";
import type { Row } from "./row.ts";

/** The format of `inspect --format json`; see schema/inspect.schema.json. */
const INSPECT_FORMAT = 1;

/** What an overview says, but for its rows. */
export function overviewJson({ timeline: _, header, ...rest }: Overview): object {
  return { "mcp-vcr-inspect": INSPECT_FORMAT, ...rest, header: { "mcp-vcr": FORMAT, ...header } };
}

/** An overview as JSON text, a line a row. Messages stand in it as they were sent, digit by digit. */
export function* jsonLines(overview: Overview): Iterable<string> {
  const head = JSON.stringify(overviewJson(overview), null, 2);
  yield `${head.slice(0, -2)},`;
  yield '  "timeline": [';
  const last = overview.timeline.length - 1;
  for (const [index, row] of overview.timeline.entries()) {
    yield `    ${rowJson(row, bodyMember(row.body))}${index === last ? "" : ","}`;
  }
  yield "  ]";
  yield "}";
}

/** A row as JSON text, with another member, `,"name":value`, or none. */
export function rowJson({ body: _, on, ...row }: Row, more: string): string {
  const where = on === undefined ? "" : `,"on":${onJson(on)}`;
  return `${JSON.stringify(row).slice(0, -1)}${where}${more}}`;
}

function bodyMember(body: Body | undefined): string {
  if (!body) return "";
  if (body.form === "base64") return `,"base64":${JSON.stringify(toBase64(body.bytes))}`;
  if (body.form === "text") return `,"text":${JSON.stringify(textOf(body.bytes))}`;
  return `,"message":${textOf(singleLine(body.bytes))}`;
}
