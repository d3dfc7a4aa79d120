import { isCounted } from "./names.ts";
import type { Reference } from "./references.ts";

/**
 * What a name is compared as. What is counted may be text in one recording and a number in the other; what a server
 * mints is text, and breaks the protocol where it is a number.
 */
export function markOf({ kind, token }: Pick<Reference, "kind" | "token">): string {
  return isText(token) || isCounted(kind) ? kind : `${kind} number`;
}

export function isText(token: string): boolean {
  return token.startsWith('"');
}
