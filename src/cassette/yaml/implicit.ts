/** A plain scalar that YAML reads as a number, and that would come out as another number, or as none. */
export class ImplicitFault extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

/** What a plain scalar denotes (https://yaml.org/spec/1.2.2/#103-core-schema), as JSON text. */
export function implicitJson(text: string): string {
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  if (!NUMBER_START.test(text)) return JSON.stringify(text);
  if (NOT_FINITE.test(text)) {
    throw new ImplicitFault(
      `JSON has no number ${text}`,
      `Write "${text}" in quotes if it is meant as text.`,
    );
  }
  if (!NUMBER.test(text)) return JSON.stringify(text);
  const value = String(Number(text));
  if (value === text) return text;
  throw new ImplicitFault(
    `the number ${text} would be changed: JavaScript holds and writes it as ${value}`,
    `Write ${value} if that is meant, or "${text}" for text; to keep the number's exact spelling, give the whole message as json: with its JSON text.`,
  );
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ...["", "~", "null", "Null", "NULL"].map((word) => [word, "null"] as const),
  ...["true", "True", "TRUE"].map((word) => [word, "true"] as const),
  ...["false", "False", "FALSE"].map((word) => [word, "false"] as const),
]);

const NUMBER_START = /^[-+.\d]/;
const NOT_FINITE = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const NUMBER = /^(?:0o[0-7]+|0x[\da-fA-F]+|[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)$/;
