import { endsAsCredential } from "./credential-name.ts";
import { isProse } from "./plausible.ts";

const FLAG = /^--?[A-Za-z][\w-]*$/;
const HEADER = /^[A-Za-z]+(?:-[A-Za-z]+)*$/;
const HEADER_OF_ITS_OWN = /^(?:(?:proxy-)?authorization|(?:set-)?cookie)$/i;
/** `X-Api-Key`: hardly the name of anything but a header. */
const OWN_HEADER = /^x-/i;
/** Names in a list of names, as of the headers that a server allows. */
const OTHER_HEADER =
  /^(?:accept|access|authorization|cache|connection|content|cookie|date|etag|host|if|last|location|mcp|origin|proxy|range|referer|sec|set|traceparent|transfer|upgrade|user|vary|www|x)(?:-[a-z]+)*$/i;

/**
 * The name of the credential that the next item of a list is: the item is `--token` in a list of arguments, or
 * `Cookie` in a flat list of headers.
 */
export function nameOfNext(item: string): string | undefined {
  const isName = FLAG.test(item) || isHeaderName(item);
  return isName && endsAsCredential(item) ? item : undefined;
}

/** Whether the item after such a name is its value, rather than the next flag or name, or a word about it. */
export function isValueOf(name: string, item: string): boolean {
  if (isProse(item)) return false;
  if (name.startsWith("-")) return !FLAG.test(item);
  if (OTHER_HEADER.test(item)) return false;
  return OWN_HEADER.test(name) || /[\s=\d]/.test(item);
}

/** What a column or parameter is rather than what it holds, as in `["token", "string"]`. */
const TYPE =
  /^(?:string|text|varchar|char|number|integer|int|boolean|bool|object|array|date|uuid|password)$/i;

/** Whether the second of two items in a list of pairs is the value of the first, a credential's name. */
export function isValueInPair(item: string): boolean {
  if (isProse(item) || TYPE.test(item) || FLAG.test(item) || OTHER_HEADER.test(item)) return false;
  return !endsAsCredential(item);
}

function isHeaderName(item: string): boolean {
  return HEADER_OF_ITS_OWN.test(item) || (item.includes("-") && HEADER.test(item));
}

const ASSIGNED = /^(--?[A-Za-z][\w-]*)=(.*)$/s;

/** `--token=X` as its name and its value. */
export function assignedFlag(item: string): readonly [name: string, value: string] | undefined {
  const [, name, value = ""] = ASSIGNED.exec(item) ?? [];
  return name !== undefined && endsAsCredential(name) && !isProse(value) ? [name, value] : undefined;
}
