const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const ESSENCE = new RegExp(`^[ \\t]*(${TOKEN}/${TOKEN})[ \\t]*(?:;(.*))?$`, "s");
const QUOTED = /"(?:[^"\\]|\\.)*"/gs;

/** A `Content-Type` as data. */
export interface MediaType {
  /** `type/subtype`, lower-case. */
  readonly essence: string;
  /** What follows the first semicolon, as sent. */
  readonly parameters: string;
}

/**
 * Reads a `Content-Type` (RFC 9110, 8.3.1), leniently in the parameters, as HTTP stacks are. Undefined: none, no media
 * type, or two headers joined by a comma, of which nobody can say which one counts.
 */
export function parseMediaType(value: string | undefined): MediaType | undefined {
  const match = ESSENCE.exec(value ?? "");
  if (match?.[1] === undefined) return undefined;
  const parameters = (match[2] ?? "").trim();
  if (parameters.replace(QUOTED, "").includes(",")) return undefined;
  return { essence: match[1].toLowerCase(), parameters };
}

/** The essence of a `Content-Type`: `application/json` for `Application/JSON; charset=utf-8`. */
export function mediaType(value: string | undefined): string | undefined {
  return parseMediaType(value)?.essence;
}

/**
 * Whether an `Accept` header allows a media type (RFC 9110, 12.5.1): the most specific range decides, `q=0` forbids,
 * parameters of a range do not matter. Without the header nothing is accepted: MCP demands that clients send it.
 */
export function accepts(accept: string | undefined, type: string): boolean {
  const wanted = type.toLowerCase();
  const ranges = ["*/*", `${wanted.slice(0, wanted.indexOf("/"))}/*`, wanted];
  let best = -1;
  let allowed = false;
  for (const { range, quality } of rangesOf(accept ?? "")) {
    const specificity = ranges.indexOf(range);
    if (specificity < 0 || specificity < best) continue;
    allowed = quality > 0 || (specificity === best && allowed);
    best = specificity;
  }
  return allowed;
}

interface Range {
  readonly range: string;
  readonly quality: number;
}

/** The header that was read last: a client sends the same with every request. */
let last: { readonly accept: string; readonly ranges: readonly Range[] } | undefined;

function rangesOf(accept: string): readonly Range[] {
  if (last?.accept === accept) return last.ranges;
  const ranges = accept.replace(QUOTED, '""').split(",").map(rangeIn);
  last = { accept, ranges };
  return ranges;
}

function rangeIn(item: string): Range {
  const [range = "", ...parameters] = item.split(";").map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith("q="));
  const quality = weight === undefined ? 1 : Number(weight.slice(2));
  return { range, quality: Number.isNaN(quality) ? 1 : quality };
}

/** What a client must accept by the Streamable HTTP transport of every revision. */
const DEMANDED: Readonly<Record<string, readonly string[]>> = {
  GET: ["text/event-stream"],
  POST: ["application/json", "text/event-stream"],
};

/** The media types that MCP demands in the `Accept` header of a request with this HTTP method. */
export function demandedTypes(httpMethod: string): readonly string[] {
  return DEMANDED[httpMethod] ?? [];
}

export function acceptsWhatMcpDemands(httpMethod: string, accept: string | undefined): boolean {
  return demandedTypes(httpMethod).every((type) => accepts(accept, type));
}
