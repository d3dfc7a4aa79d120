import type { JsonObject } from "../protocol/message.ts";
import { CODED, type Part, PLAIN, UriMatch } from "./uri-match.ts";

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
  readonly #parts: readonly Part[];

  constructor(template: string) {
    const parts: Part[] = [];
    let at = 0;
    for (const match of template.matchAll(EXPRESSION)) {
      parts.push({ literal: template.slice(at, match.index) }, partOf(match[1] as string));
      at = match.index + match[0].length;
    }
    this.#parts = [...parts, { literal: template.slice(at) }];
  }

  /**
   * The variables as the URI has them, decoded; undefined where it is none of the template's. Expanded with them (RFC
   * 6570 section 3), the template is the very URI. Clients also leave characters as they are that should be
   * percent-encoded, as in `user:{mail}` for `user:a@b.c`: such a URI, which is no expansion, is taken for the one it
   * stands for.
   */
  match(uri: string): JsonObject | undefined {
    return new UriMatch(this.#parts, uri, CODED).found() ?? new UriMatch(this.#parts, uri, PLAIN).found();
  }
}

function partOf(expression: string): Part {
  const operator = VARIABLES.exec(expression)?.[1] ?? "";
  return { operator, names: namesIn(expression) };
}
