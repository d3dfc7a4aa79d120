import { Option } from "commander";
import { VcrError } from "../errors.ts";
import type { Source } from "../exchange/entry.ts";

/** By name in lower case. */
export type Headers = Readonly<Record<string, string>>;

/** Of commands that are a client over HTTP themselves. `when` says what else must be given. */
export const HEADER_OPTION = (when: string): Option =>
  new Option(
    "--header <name: value>",
    `${when}: send this header with every request; may be repeated`,
  ).argParser(addHeader);

/** @throws VcrError `usage` where there are headers to send, and no HTTP */
export function refuseHeaders(source: Source, headers: Headers | undefined): void {
  if (source.transport !== "stdio" || headers === undefined) return;
  throw new VcrError("usage", "--header goes with --url: over stdio there are no headers");
}

function addHeader(text: string, before: Headers = {}): Headers {
  const match = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\r\n]*)$/.exec(text);
  if (!match) {
    throw new VcrError("usage", `--header ${JSON.stringify(text)}: not a header`, {
      hint: 'Give NAME: VALUE, such as --header "Authorization: Bearer $TOKEN"',
    });
  }
  return { ...before, [(match[1] as string).toLowerCase()]: match[2] as string };
}
