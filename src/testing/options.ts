import { nearestWord } from "../cassette/fault.ts";
import { VcrError } from "../errors.ts";
import type { FaultsDocument } from "../scenario/fault-document.ts";
import { called, isPlain } from "./expect/wanted.ts";

export interface OptionKind {
  /** As it goes on after "must be". */
  readonly is: string;
  readonly fits: (value: unknown) => boolean;
  /** Where only these words fit. */
  readonly words?: readonly string[];
}

/** What each option takes. */
export type OptionKinds<Options> = Readonly<Record<keyof Options, OptionKind>>;

/** The name of a ready set, a file, or what such a file would hold. */
export type FaultsOption = string | FaultsDocument;

export const TEXT: OptionKind = { is: "a string", fits: (value) => typeof value === "string" };
export const YES_OR_NO: OptionKind = { is: "a boolean", fits: (value) => typeof value === "boolean" };
export const OBJECT: OptionKind = {
  is: "an object",
  fits: (value) => typeof value === "object" && value !== null && !Array.isArray(value) && isPlain(value),
};
export const FAULTS: OptionKind = {
  is: "a string or an object",
  fits: (value) => TEXT.fits(value) || OBJECT.fits(value),
};

export function oneOf(words: readonly string[]): OptionKind {
  const is = `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
  return { is, words, fits: (value) => words.includes(value as string) };
}

/** What all tapes have. */
export const VERDICTS = { misses: oneOf(["fail", "allow"]), unused: oneOf(["fail", "allow"]) };

/** @throws VcrError `usage` for what are no options, at the first that is none, or has a value that it cannot have */
export function checkOptions<Options extends object>(
  caller: string,
  options: Options,
  kinds: OptionKinds<Options>,
): void {
  if (!OBJECT.fits(options)) {
    throw new VcrError("usage", `${caller} takes options, not ${called(options)}`, {
      hint: `They are members of an object: ${Object.keys(kinds).join(", ")}.`,
    });
  }
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(kinds, name)) throw noSuchOption(caller, name, Object.keys(kinds));
    const { is, fits, words = [] } = kinds[name as keyof Options];
    if (value === undefined || fits(value)) continue;
    const meant = typeof value === "string" ? nearestWord(value, words) : undefined;
    throw new VcrError("usage", `${caller}: ${name} must be ${is}, not ${written(value)}`, {
      hint: meant === undefined ? undefined : `Did you mean ${JSON.stringify(meant)}?`,
    });
  }
}

function written(value: unknown): string {
  const isJson = ["string", "number", "boolean"].includes(typeof value) || OBJECT.fits(value);
  return isJson || Array.isArray(value) ? JSON.stringify(value) : called(value);
}

function noSuchOption(caller: string, name: string, known: readonly string[]): VcrError {
  const meant = nearestWord(name, known);
  const question = meant === undefined ? "" : `Did you mean ${meant}? `;
  return new VcrError("usage", `${caller} has no option "${name}"`, {
    hint: `${question}Its options are: ${known.join(", ")}.`,
  });
}

/** The lines of a stack from whoever called `opening` on. */
export function callerOf(opening: (...args: never[]) => unknown): string | undefined {
  const holder: { stack?: string } = {};
  Error.captureStackTrace(holder, opening);
  const lines = holder.stack?.split("\n").slice(1) ?? [];
  return lines.length === 0 ? undefined : lines.join("\n");
}
