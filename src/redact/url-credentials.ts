import { endsAsCredential } from "./credential-name.ts";
import type { Strike } from "./placeholder.ts";
import { maySecret, saysElse } from "./plausible.ts";
import { QUERY_WORDS } from "./triggers.ts";

/** `scheme://user:password@host`; the password may hold what belongs escaped there, `@` and `#` say. */
const USER_INFO =
  /:(?:\\?\/){2}(\[redacted:[0-9a-f]{8}\]|[^\s/?#:@"'`<>]{0,512})(?::((?!\d{1,5}[/?#])[^\s/"'`<>]{0,512}))?@/dg;

/** `?name=value`, `&name=value`, `#name=value`, and the first of a form. */
const PARAMETER = /(?:^|[?&#;])([\w.~%-]{1,64})=([^\s&#"'`<>;]+)/dg;

/** A user name without a password that is the credential itself. */
const LONE_USER = /^(?=.*\d)[\w.~%+-]{16,}$/;

/** User information and credential parameters of every URL in a text. */
export function findUrlCredentials(text: string): Strike[] {
  return [...findUserInfo(text), ...findParameters(text)];
}

function findUserInfo(text: string): Strike[] {
  return Array.from(text.matchAll(USER_INFO)).flatMap((match) => {
    const [, user = "", password = ""] = match;
    if (password !== "" && password !== "x-oauth-basic") return strikeOf(password, match.indices?.[2]);
    return password !== "" || LONE_USER.test(user) ? strikeOf(user, match.indices?.[1]) : [];
  });
}

function findParameters(text: string): Strike[] {
  return Array.from(text.matchAll(PARAMETER)).flatMap((match) => {
    const [, name = "", value = ""] = match;
    return isCredentialParameter(name, value) ? strikeOf(value, match.indices?.[2]) : [];
  });
}

function isCredentialParameter(name: string, value: string): boolean {
  const last = name.toLowerCase().split("-").at(-1) ?? "";
  if (QUERY_WORDS.includes(last) && value.length >= 16 && /\d/.test(value)) return true;
  return endsAsCredential(name) && !saysElse(name, decoded(value));
}

function strikeOf(value: string, range: readonly [number, number] | undefined): Strike[] {
  if (!range || !maySecret(value)) return [];
  return [{ start: range[0], end: range[1], secret: decoded(value) }];
}

/** Percent-decoded, so that a secret has the same placeholder inside a URL and outside. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
