import { createHmac } from "node:crypto";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { createRedactor, createRedactorWith, type Redactor } from "../../src/redact/redactor.ts";
import { isSuspect } from "../../src/redact/suspect.ts";
import { loadShapes } from "../../src/run/secret-shapes.ts";

const PLACEHOLDER = /\[redacted:[0-9a-f]{8}\]/g;
const seed = Number(process.env.FC_SEED ?? 1);
const numRuns = Number(process.env.FC_RUNS ?? 300);

let redactor: Redactor;
/** The same rules without the prefilter. */
let thorough: Redactor;

beforeAll(async () => {
  const shapes = await loadShapes();
  const parts = {
    hash: (text: string) => createHmac("sha256", "key").update(text).digest("hex"),
    shapes: () => shapes,
  };
  redactor = createRedactor(parts);
  thorough = createRedactorWith(parts, () => true);
});

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
const json = (text: string): string => textOf(redactor.json(bytesOf(text)));

/** Pieces that the rules look for, and pieces that look like them. */
const piece = fc.constantFrom(
  ...`password passwd pass pwd secret token auth authorization cookie credential bearer Bearer Basic jwt otp dsn key
  api access private API connection string code sig signature progress max page Tokens s name id endpoint
  apiKey api_key API_KEY progressToken maxTokens token_endpoint githubToken DB_PASSWORD x-api-key Set-Cookie
  author keyword secretary tokenizer passed publicKey PRIVATE KEY -----BEGIN -----END -----
  hunter2 abc s3cr3t-Value 12345 123456 true null string eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0. dXNlcjpwYXNz
  --token X-Api-Key <password> </password> pwd ok /home cancellation credentialId`.split(/\s+/),
  `ghp_${"a1".repeat(18)}`,
  `hf_${"a1B".repeat(10)}`,
  "curl -u ",
  `sk-${"b2".repeat(12)}`,
  "AKIAABCDEFGHIJKLMNOP",
  "https://user:pa55word@host.example/",
  "postgres://u:p@ss@db/x",
  "://",
  "[redacted:0123abcd]",
  "\n",
  "\\n",
  "\t",
  "\u00e9",
  "😀",
  "\u0001",
  ..."= : \" ' ` \\ / @ & ? # ; , . - _ -- => { } [ ] < > ( ) * |".split(" "),
  " ",
  " ",
  " ",
  ": ",
  "=",
);
const phrase = fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join(""));
const jsonInside = fc
  .dictionary(phrase, phrase, { maxKeys: 2 })
  .map((value) => JSON.stringify(value, null, 1));
const text = fc.oneof({ weight: 5, arbitrary: phrase }, { weight: 1, arbitrary: jsonInside }, fc.string());
const key = fc.oneof(
  phrase,
  fc.constantFrom("name", "value", "key", "params", "result", "_meta", "cursor", "dependencies"),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.constantFrom<unknown>(true, null, 7, 123456, -1e21, 12.5),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.array(fc.tuple(key, tie("value")), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
  ),
}));

/** JSON text of a value with white space, escapes and order as random as JSON allows. */
function spell(input: unknown, dice: () => number): string {
  const gap = (): string => (dice() < 0.2 ? " \n\t".slice(0, 1 + Math.floor(dice() * 3)) : "");
  const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const spellChar = (char: string): string => {
    if (dice() < 0.03) return char.split("").map(escaped).join("");
    return char === "/" && dice() < 0.5 ? "\\/" : JSON.stringify(char).slice(1, -1);
  };
  const quote = (part: string): string => `"${Array.from(part, spellChar).join("")}"`;
  const print = (item: unknown): string => {
    if (typeof item === "string") return quote(item);
    if (Array.isArray(item)) return `[${gap()}${item.map(print).join(`,${gap()}`)}]`;
    if (typeof item !== "object" || item === null) return JSON.stringify(item);
    const members = Object.entries(item).map(
      ([name, member]) => `${quote(name)}${gap()}:${gap()}${print(member)}`,
    );
    if (dice() < 0.5) members.reverse();
    return `{${gap()}${members.join(`,${gap()}`)}${gap()}}`;
  };
  return print(input);
}

const dice = fc
  .infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true }))
  .map((stream) => () => stream.next().value ?? 0);

/** Members sorted, so that two spellings of one value print alike. */
function canonical(input: unknown): string {
  return JSON.stringify(input, (_, item: unknown) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}

/** Asserts that two values are equal except in keys and leaves, of which the second holds a placeholder. */
function expectEqualButSecrets(before: unknown, after: unknown): void {
  if (typeof before === "object" && before !== null) {
    const left = Object.entries(after as object) as [string, unknown][];
    expect(left).toHaveLength(Object.keys(before).length);
    for (const [at, [name, item]] of Object.entries(before).entries()) {
      const [nameLeft, itemLeft] = left[at] ?? [];
      if (nameLeft !== name) expect(nameLeft).toMatch(PLACEHOLDER);
      expectEqualButSecrets(item, itemLeft);
    }
  } else if (before !== after) {
    expect(["string", "number"]).toContain(typeof before);
    expect(after).toMatch(PLACEHOLDER);
  }
}

describe("redaction of JSON", () => {
  test("prefilter and rules agree: what it passes over holds nothing", () => {
    fc.assert(
      fc.property(value, dice, (input, roll) => {
        const bytes = bytesOf(spell(input, roll));
        expect(textOf(redactor.json(bytes))).toBe(textOf(thorough.json(bytes)));
        if (!isSuspect(bytes)) expect(thorough.json(bytes)).toBe(bytes);
      }),
      { seed, numRuns: numRuns * 2 },
    );
  });

  test("in a long text the prefilter finds what it finds in a short one", () => {
    const outcomes = { found: 0, nothing: 0 };
    fc.assert(
      fc.property(phrase, fc.nat(9), fc.nat(7), (text, before, after) => {
        const around = (spaces: number, more: number): Uint8Array =>
          bytesOf(`${" ".repeat(spaces)}${text}${" ".repeat(more)}`);
        const expected = isSuspect(around(100, 100));
        outcomes[expected ? "found" : "nothing"]++;
        const padded = around(600 + before, after === 0 ? 0 : 600 + after);
        const shifted = new Uint8Array(padded.length + before).fill(0x20);
        shifted.set(padded, before);
        const seen = [isSuspect(padded), isSuspect(shifted.subarray(before)), isSuspect(shifted, before)];
        expect(seen).toEqual(
          after === 0 ? seen.map(() => isSuspect(around(100, 0))) : seen.map(() => expected),
        );
      }),
      { seed, numRuns: numRuns * 4 },
    );
    expect(Math.min(outcomes.found, outcomes.nothing)).toBeGreaterThan(100);
  });

  test("is idempotent, stays JSON, and changes nothing but secrets", () => {
    fc.assert(
      fc.property(value, dice, (input, roll) => {
        const before = spell(input, roll);
        const after = json(before);
        expectEqualButSecrets(JSON.parse(before), JSON.parse(after));
        expect(json(after)).toBe(after);
      }),
      { seed, numRuns },
    );
  });

  test("equal values stay equal however they are spelt", () => {
    fc.assert(
      fc.property(value, dice, dice, (input, one, other) => {
        const first = JSON.parse(json(spell(input, one))) as unknown;
        const second = JSON.parse(json(spell(input, other))) as unknown;
        expect(canonical(second)).toBe(canonical(first));
      }),
      { seed, numRuns },
    );
  });
});

/** A credential that no rule could take for a word, and no template. */
const secret = fc
  .string({
    unit: fc.constantFrom(..."ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789"),
    minLength: 16,
    maxLength: 40,
  })
  .filter((chars) => /\d/.test(chars) && /[A-Z]/.test(chars) && /[a-z]/.test(chars));

const credentialKey = fc.constantFrom(
  ..."password DB_PASSWORD userPassword client_secret access_token githubToken apiKey api-key x-api-key APIKey".split(
    " ",
  ),
  ..."authorization Cookie privateKey session_token passphrase connectionString auth credentials AWS_SECRET_ACCESS_KEY".split(
    " ",
  ),
  "API Key",
);

/** Every way a credential comes along, as a member of the arguments of a call. */
const PLACES: Readonly<Record<string, (key: string, secret: string) => unknown>> = {
  "under a key": (name, hidden) => ({ [name]: hidden }),
  "in a list under a key": (name, hidden) => ({ [name]: ["x", [hidden]] }),
  "with its scheme": (name, hidden) => ({ [name]: `Bearer ${hidden}` }),
  "as name and value": (name, hidden) => [
    { name, value: hidden },
    { value: hidden, key: name },
  ],
  "as JSON in text": (name, hidden) => JSON.stringify({ [name]: hidden, a: 1 }, null, 2),
  "as JSON in JSON in text": (name, hidden) => JSON.stringify({ body: JSON.stringify({ [name]: [hidden] }) }),
  "as a piece of JSON in text": (name, hidden) => `sent {"${name}": "${hidden}", …`,
  "as an escaped piece of JSON in text": (name, hidden) => `sent {\\"${name}\\":\\"${hidden}\\"} …`,
  "as name and value in a piece of JSON": (name, hidden) =>
    `env [{"name": "${name}", "value": "${hidden}"}, …`,
  "as a header line": (_, hidden) =>
    `GET /\r\nAuthorization: Bearer ${hidden}\r\nCookie: a=b; sid=${hidden}\r\n`,
  "as a bearer": (_, hidden) => `curl -H "X: Bearer ${hidden}"`,
  "as an environment line": (_, hidden) => `PATH=/bin\nGITHUB_TOKEN=${hidden}\nexport API_KEY="${hidden}"`,
  "as a line": (name, hidden) => `hello\n${name}: ${hidden}\nbye`,
  "in user information": (_, hidden) =>
    `see postgres://bob:${hidden}@db.example:5432/x and https://${hidden}@host/`,
  "in a query": (_, hidden) =>
    `https://host/cb?a=1&access_token=${hidden}&api_key=${hidden}#id_token=${hidden}`,
  "in a form": (_, hidden) => `grant_type=refresh_token&refresh_token=${hidden}&client_secret=${hidden}`,
  "in a command": (_, hidden) => `run --api-key ${hidden} --token=${hidden}`,
  "in a cookie list": (_, hidden) => ({ cookies: [{ name: "sid", value: hidden }] }),
};

const place = fc.constantFrom(...Object.keys(PLACES));

describe("a planted secret", () => {
  test("never comes through, and gets one placeholder", () => {
    fc.assert(
      fc.property(place, credentialKey, secret, value, dice, (where, name, hidden, around, roll) => {
        const planted = PLACES[where]?.(name, hidden);
        const call = {
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { arguments: { planted, around } },
        };
        const before = spell(call, roll);
        const after = json(before);
        const shown = JSON.stringify((JSON.parse(after) as typeof call).params.arguments.planted);
        expect(after).not.toContain(hidden);
        const expected = redactor.header("x-api-key", hidden);
        expect(shown.match(PLACEHOLDER) ?? []).toContain(expected);
      }),
      { seed, numRuns },
    );
  });

  test("never comes through noise, headers, commands and URLs", () => {
    fc.assert(
      fc.property(
        place,
        credentialKey.filter((name) => !name.includes(" ")),
        secret,
        (where, name, hidden) => {
          const planted = PLACES[where]?.(name, hidden);
          const line = typeof planted === "string" ? planted : JSON.stringify(planted);
          expect(textOf(redactor.text(bytesOf(line)))).not.toContain(hidden);
          expect(redactor.header(name, `Basic ${hidden}`)).not.toContain(hidden);
          expect(
            redactor.command(["x", `--${name}`, hidden, `--${name}=${hidden}`, line]).join(" "),
          ).not.toContain(hidden);
          expect(redactor.url(`http://a:${hidden}@h/p?${name}=${hidden}`)).not.toContain(hidden);
        },
      ),
      { seed, numRuns },
    );
  });
});

describe("redaction of other text", () => {
  test("is idempotent and agrees with the rules alone", () => {
    fc.assert(
      fc.property(text, (line) => {
        const bytes = bytesOf(line);
        const after = redactor.text(bytes);
        expect(textOf(after)).toBe(textOf(thorough.text(bytes)));
        expect(textOf(redactor.text(after))).toBe(textOf(after));
      }),
      { seed, numRuns: numRuns * 2 },
    );
  });

  test("headers, commands and URLs are redacted once", () => {
    fc.assert(
      fc.property(key, fc.array(phrase, { maxLength: 3 }), (name, args) => {
        const [first = ""] = args;
        const header = redactor.header(name, first);
        const command = redactor.command(args);
        const url = redactor.url(first);
        expect(redactor.header(name, header)).toBe(header);
        expect(redactor.command(command)).toEqual(command);
        expect(redactor.url(url)).toBe(url);
      }),
      { seed, numRuns },
    );
  });

  test("bytes that are no UTF-8 keep theirs", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 8 }), secret, (noise, hidden) => {
        const bytes = new Uint8Array([...noise, 0xff, ...bytesOf(`\npassword=${hidden}`)]);
        const after = redactor.text(bytes);
        expect([...after.subarray(0, noise.length + 1)]).toEqual([...noise, 0xff]);
        expect(textOf(after)).not.toContain(hidden);
      }),
      { seed, numRuns: 200 },
    );
  });
});
