import { nearestWord } from "../cassette/fault.ts";
import { VcrError } from "../errors.ts";
import { SERVE_MODES } from "../replay/modes.ts";
import { parsePace } from "../replay/pace.ts";
import type { RecordConfig, ServeConfig } from "./config.ts";

/** What can be set in three places: by a flag, by an environment variable, and in the configuration. */
interface Setting<Value> {
  readonly variable: string;
  /** The value that the text of the variable stands for; undefined for none. */
  readonly read: (text: string) => Value | undefined;
  /** What the variable may hold. */
  readonly allowed: readonly string[];
}

type Settings<Values> = { readonly [Name in keyof Values]-?: Setting<NonNullable<Values[Name]>> };

const YES_OR_NO: ReadonlyMap<string, boolean> = new Map([
  ["1", true],
  ["true", true],
  ["0", false],
  ["false", false],
]);

export const RECORD_SETTINGS: Settings<RecordConfig> = {
  mode: { variable: "MCP_VCR_MODE", ...oneOf(["once", "all", "append"]) },
};

/** Of a mock with a real server behind; without one there is nothing but to replay. */
export const SERVER_BEHIND_SETTINGS: Settings<Pick<ServeConfig, "mode">> = {
  mode: { variable: "MCP_VCR_MODE", ...oneOf(SERVE_MODES) },
};

export const SERVE_SETTINGS: Settings<Omit<ServeConfig, "mode">> = {
  strict: { variable: "MCP_VCR_STRICT", ...yesOrNo() },
  pace: {
    variable: "MCP_VCR_PACE",
    allowed: ["instant", "recorded", "a factor such as 2x"],
    read: (text) => (isPace(text) ? text : undefined),
  },
};

/** Whether `parsePace` reads a text. */
export function isPace(text: string): boolean {
  try {
    parsePace(text);
    return true;
  } catch {
    return false;
  }
}

export interface Sources<Values> {
  /** Given on the command line. */
  readonly flags: Values;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** From the configuration. */
  readonly file: Values | undefined;
}

/**
 * Flags win over the environment, the environment over the file. An empty variable counts as none.
 * @throws VcrError `usage` for a variable that holds something else than it may
 */
export function settle<Values extends object>(
  settings: Settings<Values>,
  { flags, environment, file }: Sources<Values>,
): Values {
  const names = Object.keys(settings) as (keyof Values)[];
  const values = names.map((name) => {
    const value = flags[name] ?? told(settings[name] as Setting<unknown>, environment) ?? file?.[name];
    return [name, value] as const;
  });
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as Values;
}

function told({ variable, read, allowed }: Setting<unknown>, environment: Sources<object>["environment"]) {
  const text = environment[variable];
  if (text === undefined || text === "") return undefined;
  const value = read(text);
  if (value !== undefined) return value;
  const nearest = nearestWord(text, allowed);
  throw new VcrError(
    "usage",
    `the environment has ${variable}=${text}, which must be ${allowed.join(" or ")}`,
    {
      hint: `Set ${variable}=${nearest ?? allowed[0]}, or unset it.`,
    },
  );
}

function oneOf<const Word extends string>(words: readonly Word[]) {
  return { allowed: words, read: (text: string) => words.find((word) => word === text) };
}

function yesOrNo() {
  return { allowed: [...YES_OR_NO.keys()], read: (text: string) => YES_OR_NO.get(text) };
}
