import fc from "fast-check";
import { expect, test } from "vitest";
import { UriTemplate } from "../../src/scenario/uri-template.ts";

const params = (numRuns: number) => ({ seed: Number(process.env.FC_SEED ?? 1), numRuns });

interface Expression {
  readonly operator: "" | "+" | "#" | "." | "/" | ";" | "?" | "&";
  readonly names: readonly string[];
}

type Part = string | Expression;
type Values = Readonly<Record<string, string | undefined>>;

/** The table of RFC 6570 appendix A: first, separator, named, what an empty one ends with, what else is allowed. */
const TABLE: Readonly<Record<Expression["operator"], readonly [string, string, boolean, string, boolean]>> = {
  "": ["", ",", false, "", false],
  "+": ["", ",", false, "", true],
  "#": ["#", ",", false, "", true],
  ".": [".", ".", false, "", false],
  "/": ["/", "/", false, "", false],
  ";": [";", ";", true, "", false],
  "?": ["?", "&", true, "=", false],
  "&": ["&", "&", true, "=", false],
};

function coded(value: string, reserved: boolean): string {
  const strictly = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
  if (!reserved) return strictly(value);
  return value
    .split(/(%[\dA-Fa-f]{2}|[:/?#[\]@!$&'()*+,;=])/)
    .map((piece, index) => (index % 2 === 1 ? piece : strictly(piece)))
    .join("");
}

/** RFC 6570 section 3, levels 1 to 3. */
function expanded(parts: readonly Part[], values: Values): string {
  return parts
    .map((part) => {
      if (typeof part === "string") return coded(part, true);
      const [first, separator, named, ifEmpty, reserved] = TABLE[part.operator];
      const there = part.names.flatMap((name) => {
        const value = values[name];
        if (value === undefined) return [];
        const text = coded(value, reserved);
        return [named ? `${name}${text === "" ? ifEmpty : `=${text}`}` : text];
      });
      return there.length === 0 ? "" : first + there.join(separator);
    })
    .join("");
}

function written(parts: readonly Part[]): string {
  return parts
    .map((part) => (typeof part === "string" ? part : `{${part.operator}${part.names.join(",")}}`))
    .join("");
}

const name = fc.constantFrom("x", "y", "z");
const part: fc.Arbitrary<Part> = fc.oneof(
  fc.constantFrom("a", "u://", "/", "-", "?", "&a=", ".", "é", ","),
  fc.record({
    operator: fc.constantFrom(...(Object.keys(TABLE) as Expression["operator"][])),
    names: fc.array(name, { minLength: 1, maxLength: 3 }),
  }),
);
const parts = fc.array(part, { minLength: 1, maxLength: 4 });
const piece = fc.constantFrom(
  "a",
  "b",
  "1",
  "-",
  ".",
  "/",
  "?",
  "&",
  "=",
  ",",
  ";",
  "%",
  "%41",
  "é",
  "𝄞",
  " ",
  "@",
  "x=",
);
const value = fc.array(piece, { maxLength: 3 }).map((pieces) => pieces.join(""));
const values: fc.Arbitrary<Values> = fc.record({
  x: fc.option(value, { nil: undefined }),
  y: fc.option(value, { nil: undefined }),
  z: fc.option(value, { nil: undefined }),
});

test("every expansion of a template matches, with variables that expand to it again", () => {
  fc.assert(
    fc.property(parts, values, (template, given) => {
      const uri = expanded(template, given);
      const found = new UriTemplate(written(template)).match(uri) as Values | undefined;
      expect(found).toBeDefined();
      expect(expanded(template, found as Values)).toBe(uri);
    }),
    params(3000),
  );
});

const unescaped = (uri: string) => {
  const bytes = [...new TextEncoder().encode(uri)].map((byte) => String.fromCharCode(byte)).join("");
  return bytes.replaceAll(/%([\dA-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
};

test("what matches and is no expansion differs from one in what is percent-encoded alone", () => {
  const uri = fc
    .array(fc.oneof(piece, fc.constantFrom("u://", "%2F", "%2f", "%zz", "#", "x", "y=", "z=1")), {
      maxLength: 6,
    })
    .map((pieces) => pieces.join(""));
  let matched = 0;
  fc.assert(
    fc.property(parts, uri, (template, one) => {
      const found = new UriTemplate(written(template)).match(one) as Values | undefined;
      if (!found) return;
      matched++;
      // A value may hold what looks percent-encoded; once more shows it as it is.
      expect(unescaped(unescaped(expanded(template, found)))).toBe(unescaped(unescaped(one)));
    }),
    params(5000),
  );
  expect(matched).toBeGreaterThan(50);
});

test("a long URI that does not match is told from one that does, whatever many variables could be", () => {
  const template = new UriTemplate("{a}{b}{c}{d}{+e}{f}!");
  expect(template.match("a".repeat(200))).toBeUndefined();
});
