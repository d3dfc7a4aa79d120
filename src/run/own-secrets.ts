import { VcrError } from "../errors.ts";
import type { Header } from "../exchange/entry.ts";
import { createOwnRules, type OwnRules, type OwnSecrets } from "../redact/own-rules.ts";

/** What becomes a placeholder before anything is written, besides what is known for a credential. */
export interface RedactSettings {
  /** Names of environment variables whose values are secrets. */
  readonly env?: readonly string[] | undefined;
  /** Regular expressions that find secrets; of one with a group, the group is the secret. */
  readonly patterns?: readonly string[] | undefined;
  /** Names of members, headers, flags and parameters that hold secrets, in any case. */
  readonly keys?: readonly string[] | undefined;
}

export interface OwnRedaction {
  readonly rules: OwnRules | undefined;
  /** As the header lists them among the rules applied. */
  readonly names: readonly string[];
  /** What is to be said of it. */
  readonly notices: readonly string[];
}

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Of a pattern, which may tell the secret itself, a header holds the hash alone. */
  readonly hash: (text: string) => string;
}

/** In characters. What is shorter stands everywhere by chance. */
const SHORTEST_VALUE = 4;

/**
 * What a recording redacts by these settings.
 * @throws VcrError `usage` for a variable whose value is too short
 */
export function secretsToRecord(settings: RedactSettings, { env, hash }: Surroundings): OwnRedaction {
  const { patterns = [], keys = [] } = settings;
  const variables = settings.env ?? [];
  const unset = variables.filter((name) => !env[name]);
  for (const name of variables) refuseShort(name, env[name]);
  return {
    rules: rulesOf({ values: valuesOf(variables, env), patterns, keys }),
    names: [
      ...variables.map((name) => `env:${name}`),
      ...keys.map((key) => `key:${key}`),
      ...patterns.map((pattern) => `pattern:${hash(pattern)}`),
    ],
    notices: unset.map((name) => `redact.env: ${name} is not set, so no value of it is redacted`),
  };
}

/**
 * What a served recording's header says was redacted: the same is to be done to what clients send. Its patterns must be
 * among those of the settings.
 */
export function secretsToServe(
  { redacted = [] }: Header,
  { patterns = [] }: RedactSettings,
  { env, hash }: Surroundings,
): OwnRedaction {
  const named = (kind: string) =>
    redacted.filter((name) => name.startsWith(`${kind}:`)).map((name) => name.slice(kind.length + 1));
  const byHash = new Map(patterns.map((pattern) => [hash(pattern), pattern]));
  const wanted = named("pattern");
  const known = wanted.flatMap((each) => byHash.get(each) ?? []);
  const values = valuesOf(named("env"), env).filter((value) => value.length >= SHORTEST_VALUE);
  const missing = wanted.length - known.length;
  return {
    rules: rulesOf({ values, patterns: known, keys: named("key") }),
    names: redacted,
    notices:
      missing === 0
        ? []
        : [
            `the cassette was redacted by ${missing === 1 ? "a pattern" : `${missing} patterns`} that redact.patterns ` +
              "of the configuration does not hold, so what clients send may not match it",
          ],
  };
}

/**
 * What goes on in a cassette must be redacted as what it holds.
 * @throws VcrError `usage`
 */
export function requireSameRules(file: string, before: Header | undefined, now: Header): void {
  const missing = difference(now.redacted, before?.redacted);
  const gone = difference(before?.redacted, now.redacted);
  if (missing.length + gone.length === 0) return;
  const changes = [...missing.map((name) => `+${name}`), ...gone.map((name) => `-${name}`)];
  throw new VcrError(
    "usage",
    `${file} was recorded with other redaction rules than the configuration has now (${changes.join(", ")})`,
    { hint: "Record it anew with --mode all, or give the configuration the rules it was recorded with." },
  );
}

/** Own rules alone: those that come with the program may be more than they were. */
function difference(some: readonly string[] = [], others: readonly string[] = []): string[] {
  return some.filter((name) => name.includes(":") && !others.includes(name));
}

function rulesOf(secrets: OwnSecrets): OwnRules | undefined {
  const { values, patterns, keys } = secrets;
  return values.length + patterns.length + keys.length === 0 ? undefined : createOwnRules(secrets);
}

function valuesOf(names: readonly string[], env: Surroundings["env"]): string[] {
  return names.flatMap((name) => env[name] || []);
}

function refuseShort(name: string, value: string | undefined): void {
  if (!value || value.length >= SHORTEST_VALUE) return;
  throw new VcrError(
    "usage",
    `redact.env: the value of ${name} has fewer than ${SHORTEST_VALUE} characters, and would be found everywhere`,
    { hint: "Name what it stands under in redact.keys, or take the variable out." },
  );
}
