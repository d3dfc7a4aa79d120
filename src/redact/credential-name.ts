/**
 * Which names hold credentials. A name is cut into runs of letters, digits, `_` and `-`, a run into words at case
 * changes and separators. A run is a credential's when a word makes it one and no other word unmakes it.
 */

/** No run and no key longer than this is read as a name, in characters. */
export const LONGEST_NAME = 64;

/** Make a credential, also at the end of a longer word: `githubtoken`, `dbpassword`. */
const STRONG_WORDS = [
  "password",
  "passwd",
  "passphrase",
  "passcode",
  "secret",
  "token",
  "credential",
  "cookie",
  "apikey",
  "accesskey",
  "privatekey",
  "secretkey",
  "connectionstring",
];

/** Make a credential only as a word of their own: `DB_PWD`, `x-auth`. */
const WHOLE_WORDS = listOf("pwd pass jwt otp dsn auth authorization proxyauthorization bearer");

/** Of these, the ones that say something else as soon as more follows: `auth_url`, `authorization_servers`. */
const LAST_WORDS = listOf("pass jwt otp auth authorization proxyauthorization bearer");
const MAY_FOLLOW_LAST = listOf("header value string data hash");

/** Two words that make one together. */
const COMPOUNDS: ReadonlyMap<string, WordList> = new Map([
  [
    "key",
    listOf(
      "access account admin api app auth client consumer deploy encryption hmac license master private role secret " +
        "service session shared signing ssh storage subscription",
    ),
  ],
  ["string", listOf("connection conn")],
  ["str", listOf("connection conn")],
  ["verifier", listOf("code")],
  ["assertion", listOf("client")],
  ["code", listOf("auth authorization device")],
]);

/** `token` after these is a place in a list, a count or a piece of text. */
const TOKEN_UNMAKERS = listOf(
  "progress max min page next prev previous continuation cursor pagination sync resume resumption num total count " +
    "per stop eos bos pad mask unk sep cls special start end first last design cancel cancellation",
);
const GLUED_TOKEN_UNMAKERS = [
  "progress",
  "max",
  "page",
  "next",
  "continuation",
  "cursor",
  "sync",
  "resumption",
  "cancel",
  "cancellation",
];

/** `tokens` is a count, but not after these. */
const PLURAL_TOKEN_MAKERS = listOf("access refresh auth bearer api session csrf oauth secret");

/** After the word: the name tells something about a credential and holds none. */
const UNMAKERS_AFTER = listOf(
  "endpoint endpoints type types count counts limit limits budget usage url urls uri uris length len size expiry " +
    "expire expires expired expiration ttl lifetime name names supported method methods policy policies field " +
    "fields label description title placeholder required provider providers format path paths file filename dir " +
    "directory index position version algorithm alg scheme status state strategy scope scopes server servers store " +
    "manager ref reference mode kind source ratio rate price cost window prefix suffix issuer audience created " +
    "updated changed modified rotated at metadata schema rules pattern regex strings chars characters in option options config settings arn domain consent banner samesite",
);

const RUN = /[A-Za-z0-9_-]+/g;
const WORD = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g;
const GLUED_KEY = /(?:api|access|private|secret)keys?$/;
/** `API key` in prose and labels is `API_key`. */
const SPACED_COMPOUND = /([A-Za-z]{2,20}) (keys?|string)(?![A-Za-z0-9_-])/gi;

const known = new Map<string, boolean>();

/** Whether one run of letters, digits, `_` and `-` names a credential. */
export function isCredentialRun(run: string): boolean {
  let answer = known.get(run);
  if (answer === undefined) {
    answer = run.length <= LONGEST_NAME && judge(run);
    if (known.size >= 4096) known.clear();
    known.set(run, answer);
  }
  return answer;
}

/** Whether a key names a credential with any of its runs. A key with quotes or backslashes in it is no name. */
export function namesCredential(name: string): boolean {
  if (name.length > LONGEST_NAME || /["\\]/.test(name)) return false;
  return isOneRun(name) ? isCredentialRun(name) : runsOf(name).some(isCredentialRun);
}

/** Whether a name given as a value (`{ "name": "API_KEY", "value": … }`) ends in a credential's run. */
export function endsAsCredential(name: string): boolean {
  if (isOneRun(name)) return isCredentialRun(name);
  if (name.length > LONGEST_NAME || !/[A-Za-z0-9_-]$/.test(name)) return false;
  return isCredentialRun(runsOf(name).at(-1) ?? "");
}

function isOneRun(name: string): boolean {
  return /^[A-Za-z0-9_-]+$/.test(name);
}

function runsOf(name: string): readonly string[] {
  return name.replace(SPACED_COMPOUND, "$1_$2").match(RUN) ?? [];
}

function judge(run: string): boolean {
  const words = run.replaceAll("OAuth", "Oauth").match(WORD) ?? [];
  const parts = unglue(words.map((word) => word.toLowerCase()));
  if (parts.some((_, at) => makesCredential(parts, at))) return true;
  return GLUED_KEY.test(parts.join(""));
}

/** `githubtoken` as `github`, `token`. */
function unglue(parts: readonly string[]): string[] {
  return parts.flatMap((part) => {
    const bare = part.endsWith("s") && !part.endsWith("tokens") ? part.slice(0, -1) : part;
    const strong = STRONG_WORDS.find((word) => bare.endsWith(word));
    if (!strong) return [part];
    return bare === strong ? [strong] : [bare.slice(0, -strong.length), strong];
  });
}

function makesCredential(parts: readonly string[], at: number): boolean {
  const word = parts[at] ?? "";
  const before = parts[at - 1] ?? "";
  const after = parts.slice(at + 1).filter((part) => !/^\d+$/.test(part));
  if (after.some((part) => holds(UNMAKERS_AFTER, part))) return false;
  const single = word.endsWith("s") ? word.slice(0, -1) : word;
  if (after[0] === "id" && /(?:token|key|credential)$/.test(single)) return false;
  if (holds(COMPOUNDS.get(single) ?? "", before)) return true;
  if (word === "tokens") return holds(PLURAL_TOKEN_MAKERS, before);
  if (holds(LAST_WORDS, word)) return after.every((part) => holds(MAY_FOLLOW_LAST, part));
  if (holds(WHOLE_WORDS, word)) return true;
  return STRONG_WORDS.includes(word) && !(word === "token" && unmakesToken(before));
}

function unmakesToken(before: string): boolean {
  return holds(TOKEN_UNMAKERS, before) || GLUED_TOKEN_UNMAKERS.some((word) => before.endsWith(word));
}

/** Words with a space around each: sets of them are more than a start should make that may come to no name at all. */
type WordList = string;

function listOf(words: string): WordList {
  return ` ${words} `;
}

function holds(list: WordList, word: string): boolean {
  return list.includes(` ${word} `);
}
