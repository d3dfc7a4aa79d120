import fc from "fast-check";

/** Settings of every property: a fixed seed that FC_SEED overrides. */
export function runs(numRuns: number): { seed: number; numRuns: number } {
  return { seed: Number(process.env.FC_SEED ?? 1), numRuns };
}

const encoder = new TextEncoder();

/** Bytes of a text at an odd place of a larger buffer, as frames of a stream lie. */
export function bytesOf(text: string, lead = 0): Uint8Array {
  const bytes = encoder.encode(text);
  const buffer = new Uint8Array(bytes.length + lead + 5).fill(0x22);
  buffer.set(bytes, lead);
  return buffer.subarray(lead, lead + bytes.length);
}

export const lead = fc.nat(4);

const space = fc.oneof(
  { weight: 6, arbitrary: fc.constant("") },
  { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom(" ", "\n", "\r", "\t"), maxLength: 3 }) },
);

export const numberToken = fc.oneof(
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => JSON.stringify(n)),
  fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }).map(String),
  fc.constantFrom(
    "0",
    "-0",
    "1.0",
    "1e5",
    "1E400",
    "0.1",
    "0.000001",
    "0.0000001",
    "0.00001",
    "1e-7",
    "1e21",
  ),
  fc.constantFrom("9007199254740993", "999999999999999", "1e+21", "10.50", "100000000000000000000", "-0.0"),
  fc
    .tuple(
      fc.constantFrom("", "-"),
      fc.nat({ max: 9999 }),
      fc.option(fc.string({ unit: fc.constantFrom("0", "1", "5", "9"), minLength: 1, maxLength: 18 })),
      fc.option(fc.tuple(fc.constantFrom("e", "E", "e+", "e-"), fc.nat(330))),
    )
    .map(([sign, whole, fraction, exponent]) => {
      const tail = exponent ? exponent.join("") : "";
      return `${sign}${whole}${fraction === null ? "" : `.${fraction}`}${tail}`;
    }),
);

const plainPiece = fc.constantFrom(
  "a",
  "b",
  "Z",
  "0",
  " ",
  "/",
  "{",
  "}",
  "[",
  "]",
  ":",
  ",",
  "é",
  "€",
  "😀",
  "\u007f",
);
const escapedPiece = fc.constantFrom(
  "\\n",
  '\\"',
  "\\\\",
  "\\/",
  "\\u0061",
  "\\u00e9",
  "\\ud83d\\ude00",
  "\\u0000",
);
const lonePiece = fc.constantFrom("\\ud83d", "\\udE00", "\\ud83d\\ud83d\\ude00");

const stringToken = fc
  .array(
    fc.oneof(
      { weight: 20, arbitrary: plainPiece },
      { weight: 4, arbitrary: escapedPiece },
      { weight: 1, arbitrary: lonePiece },
      { weight: 3, arbitrary: fc.nat(90).map((n) => "x".repeat(n)) },
    ),
    { maxLength: 6 },
  )
  .map((pieces) => `"${pieces.join("")}"`);

/** Few enough to meet again within one object, and spelt in several ways. */
const keyToken = fc.oneof(
  fc.constantFrom(
    '"a"',
    '"b"',
    '"\\u0061"',
    '"id"',
    '"i\\u0064"',
    '"method"',
    '"result"',
    '"params"',
    '"error"',
  ),
  fc.constantFrom('"0"', '"1"', '"2"', '"01"', '"10"', '"4294967294"', '"4294967295"', '"\\u0031"', '""'),
  fc.constantFrom('"__proto__"', '"constructor"', '"é"', '"\\u00e9"', '"a/b~c"'),
  fc.nat(60).map((n) => `"key${n}"`),
  stringToken,
);

const scalarToken: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom("true", "false", "null"),
  numberToken,
  stringToken,
);

type Texts = {
  value: string;
  object: string;
  array: string;
};

/** JSON text with any white space, number spelling, escapes and duplicate keys. */
export const { value: jsonText, object: objectText } = fc.letrec<Texts>((tie) => ({
  value: fc.oneof({ maxDepth: 4, withCrossShrink: true }, scalarToken, tie("object"), tie("array")),
  object: fc
    .tuple(fc.array(fc.tuple(space, keyToken, space, space, tie("value"), space), { maxLength: 14 }), space)
    .map(([members, inside]) => {
      const parts = members.map(([a, key, b, c, value, d]) => `${a}${key}${b}:${c}${value}${d}`);
      return `{${parts.length === 0 ? inside : parts.join(",")}}`;
    }),
  array: fc
    .tuple(fc.array(fc.tuple(space, tie("value"), space), { maxLength: 5 }), space)
    .map(
      ([items, inside]) => `[${items.length === 0 ? inside : items.map((item) => item.join("")).join(",")}]`,
    ),
}));

const INSERTED = [...'{}[]:,"\\-+.eE01 9\n\t\u0000ux/tfn', "\ufeff", "é", "\u00a0"];

/** A text and a few changes at arbitrary places; mostly no JSON any more, though often enough still. */
export const mutatedText = fc
  .tuple(
    jsonText,
    fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(2), fc.constantFrom(...INSERTED)), {
      minLength: 1,
      maxLength: 3,
    }),
  )
  .map(([text, changes]) => {
    let result = text;
    for (const [where, cut, insert] of changes) {
      const at = Math.floor(where * result.length);
      result = result.slice(0, at) + insert + result.slice(at + cut);
    }
    return result.replace(/\p{Surrogate}/gu, "?");
  });

/** Slow and apart from the scanner: the tokens of valid JSON text, strings by what they denote. */
export function tokensOf(text: string): string[] {
  const pattern = /[\s]+|"(?:[^"\\]|\\.)*"|[-+.\deE]+|[a-z]+|[{}[\]:,]/gy;
  const tokens: string[] = [];
  for (const [token] of text.matchAll(pattern)) {
    if (token.trim() === "") continue;
    tokens.push(token.startsWith('"') ? `"${JSON.parse(token)}` : token);
  }
  return tokens;
}
