import type { Entry } from "../exchange/entry.ts";
import type { Span } from "../protocol/scan-json.ts";
import { type Hash, hashOf } from "./hash.ts";
import { markOf } from "./marks.ts";
import type { Facts } from "./references.ts";

/** What a message says apart from names and values. */
export function hashBody(hash: Hash, bytes: Uint8Array, { references, values }: Facts): void {
  const only = references[0];
  if (only && references.length === 1 && values.length === 0) {
    // Nearly all messages hold one name, which is an id.
    if (typeof only.place === "string") hash.bytes(bytes);
    else {
      const { start, end } = only.place.span;
      hash.bytes(bytes, 0, start).text(markOf(only)).bytes(bytes, end);
    }
    return;
  }
  const marks: { span: Span; mark: string }[] = [];
  for (const reference of references) {
    const { place } = reference;
    if (typeof place !== "string") marks.push({ span: place.span, mark: markOf(reference) });
  }
  for (const { span, type } of values) marks.push({ span, mark: type });
  marks.sort((a, b) => a.span.start - b.span.start);
  let from = 0;
  for (const { span, mark } of marks) {
    hash.bytes(bytes, from, span.start).text(mark);
    from = span.end;
  }
  hash.bytes(bytes, from);
}

/** Equal for what might be two versions of one thing. */
export function shapeOf(entry: Entry, method: string | undefined): number {
  const { from, on, http, event, body, closed } = entry;
  if (on || http || event || closed || !body) return hashOf(shapeText(entry, method));
  // Over stdio nearly all are of a few shapes.
  const known = plainShapes[from];
  const kind = method ?? body.form;
  let shape = known.get(kind);
  if (shape === undefined) {
    if (known.size >= MOST_SHAPES) known.clear();
    shape = hashOf(shapeText(entry, method));
    known.set(kind, shape);
  }
  return shape;
}

const MOST_SHAPES = 256;
const plainShapes = { client: new Map<string, number>(), server: new Map<string, number>() };

function shapeText({ from, on, http, event, body, closed }: Entry, method: string | undefined): string {
  const stream = typeof on === "object" ? "request" : (on ?? "none");
  const message = body && (method ?? (event && body.bytes.length === 0 ? "event" : body.form));
  const kind = closed ? "closed" : (message ?? http?.method ?? "bare");
  return `${from} ${stream} ${event?.name ?? ""} ${http?.status ?? ""} ${kind}`;
}
