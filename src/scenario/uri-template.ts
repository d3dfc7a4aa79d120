import type { JsonObject } from "../protocol/message.ts";

/** How an expression of a URI template begins, goes on and ends, by its operator (RFC 6570 section 3.2, levels 1 to 3). */
interface Operator {
  readonly first: string;
  readonly separator: string;
  /** Variables are written `name=value`. */
  readonly named: boolean;
  /** Characters of a value besides the unreserved ones. */
  readonly reserved: boolean;
}

const OPERATORS: Readonly<Record<string, Operator>> = {
  "": { first: "", separator: ",", named: false, reserved: false },
  "+": { first: "", separator: ",", named: false, reserved: true },
  "#": { first: "#", separator: ",", named: false, reserved: true },
  ".": { first: ".", separator: ".", named: false, reserved: false },
  "/": { first: "/", separator: "/", named: false, reserved: false },
  ";": { first: ";", separator: ";", named: true, reserved: false },
  "?": { first: "?", separator: "&", named: true, reserved: false },
  "&": { first: "&", separator: "&", named: true, reserved: false },
};

const EXPRESSION = /\{([^{}]*)\}/g;
const VARIABLES = /^([+#./;?&]?)((?:\w|%[\dA-Fa-f]{2}|\.)+(?:,(?:\w|%[\dA-Fa-f]{2}|\.)+)*)$/;

/** What is wrong with a template; undefined where it can be matched. */
export function problemOfTemplate(template: string): string | undefined {
  const rest = template.replaceAll(EXPRESSION, "");
  if (/[{}]/.test(rest)) return "a brace is not closed";
  const expressions = [...template.matchAll(EXPRESSION)].map(([, inner]) => inner as string);
  const wrong = expressions.find((inner) => !VARIABLES.test(inner));
  if (wrong === undefined) return undefined;
  return /[*:]/.test(wrong)
    ? `{${wrong}} has a modifier (level 4), which cannot be matched here`
    : `{${wrong}} is no expression`;
}

/** The names of a template's variables. */
export function variablesOf(template: string): readonly string[] {
  return [...template.matchAll(EXPRESSION)].flatMap(([, inner]) => namesIn(inner as string));
}

function namesIn(expression: string): readonly string[] {
  return (VARIABLES.exec(expression)?.[2] ?? "").split(",");
}

/** Matches URIs against one template. */
export class UriTemplate {
  readonly #pattern: RegExp;
  readonly #names: readonly string[];

  constructor(template: string) {
    const names: string[] = [];
    let source = "";
    let at = 0;
    for (const match of template.matchAll(EXPRESSION)) {
      source += literal(template.slice(at, match.index)) + patternOf(match[1] as string, names);
      at = match.index + match[0].length;
    }
    this.#pattern = new RegExp(`^${source}${literal(template.slice(at))}$`, "u");
    this.#names = names;
  }

  /** The variables as the URI has them, decoded; undefined where it is none of the template's. */
  match(uri: string): JsonObject | undefined {
    const found = this.#pattern.exec(uri);
    if (!found) return undefined;
    const values: [string, string][] = [];
    for (const [index, name] of this.#names.entries()) {
      const text = found[index + 1];
      if (text !== undefined) values.push([name, decoded(text)]);
    }
    return Object.fromEntries(values);
  }
}

function patternOf(expression: string, names: string[]): string {
  const operator = OPERATORS[VARIABLES.exec(expression)?.[1] ?? ""] as Operator;
  const { first, separator, named, reserved } = operator;
  const characters = reserved ? "\\S" : `[^/?#&;,${separator === "." ? "." : ""}\\s]`;
  const parts = namesIn(expression).map((name, index) => {
    names.push(name);
    // Variables that have no value are left out with their names.
    if (named) return `(?:[${first}${separator}]${literal(name)}(?:=(${characters}*?))?)?`;
    if (index === 0) return `${literal(first)}(${characters}+?)`;
    return `(?:${literal(separator)}(${characters}+?))?`;
  });
  return parts.join("");
}

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
