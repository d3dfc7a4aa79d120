import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { load } from "js-yaml";
import { describe, expect, test } from "vitest";
import type { VcrError } from "../../../src/errors.ts";
import { aimWords } from "../../../src/faults/plan.ts";
import { readFaults } from "../../../src/faults/read-faults.ts";
import { READY } from "../../../src/faults/ready.ts";
import { FAULT_NAMES, FAULTS, faultsNamed } from "../../../src/faults/table.ts";

const read = (text: string) => readFaults({ file: "faults.yaml", text });
const schema = JSON.parse(
  readFileSync(new URL("../../../src/faults/schema/faults.schema.json", import.meta.url), "utf8"),
);
const conforms = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false }).compile(schema);

const ONE_OF_EACH = `faults:\n${FAULTS.map(
  ({ name, example, only }) => `  - { on: { method: ${only ?? "tools/list"} }, do: { ${name}: ${example} } }`,
).join("\n")}\n`;

describe("a faults file", () => {
  test("may hold every fault, as the table's examples write it", () => {
    expect(read(ONE_OF_EACH).faults.map(({ deeds }) => deeds.map(({ kind }) => kind))).toEqual(
      FAULTS.map((kind) => [kind]),
    );
    expect(conforms(load(ONE_OF_EACH)), JSON.stringify(conforms.errors)).toBe(true);
  });

  test("says in words what it strikes and does", () => {
    const words = read(
      `
seed: 7
faults:
  - { do: { delay: 1500ms } }
  - { on: { method: tools/call, name: forecast, nth: 3 }, do: { error: {}, duplicate: true } }
  - { on: { method: tools/list, every: 2, across: all }, do: { close: mid-stream } }
  - { on: { method: tools/call, probability: 0.125, afterEvents: 1 }, do: { hang: true } }
  - { on: { connect: true }, do: { crash: 7 } }
  - { on: { method: x/mine, nth: 11, afterEvents: 2 }, do: { status: { code: 429, retryAfter: 2 } } }
`.replace(", afterEvents: 2 }", " }"),
    ).faults.flatMap(({ on, deeds }) => deeds.map((deed) => `${aimWords(on)}: ${deed.words}`));
    expect(words).toEqual([
      "every request: the answer comes 1.5s late",
      "the 3rd tools/call forecast: error -32603, Internal error",
      "the 3rd tools/call forecast: the answer comes twice",
      "every 2nd tools/list of all clients: the connection closes half way through the answer",
      "12.5 % of tools/call, after 1 event: the answer never comes",
      "the first request of a client: the server dies with exit code 7",
      "the 11th x/mine: HTTP status 429",
    ]);
  });

  test("may be JSON", () => {
    const json = JSON.stringify({ seed: 0, faults: [{ do: { slow: { bytes: 2, every: "1s" } } }] }, null, 2);
    expect(read(json)).toMatchObject({
      seed: 0,
      faults: [{ deeds: [{ words: "the answer comes 2 bytes every 1s" }] }],
    });
  });

  test.each(READY)("$name is one", ({ text }) => {
    expect(read(text).faults.length).toBeGreaterThan(0);
    expect(conforms(load(text)), JSON.stringify(conforms.errors)).toBe(true);
  });
});

test("the JSON Schema has the table's faults, with their values", () => {
  const expected = FAULT_NAMES.map((name) => {
    const rows = faultsNamed(name);
    const about = rows.map((row) => (row.value ? `${row.value}: ${row.about}` : row.about)).join(" ");
    const values = rows.length === 1 ? rows[0]?.schema : { enum: rows.map(({ value }) => value) };
    return [name, { description: about, ...values }];
  });
  expect(schema.$defs.do.properties).toEqual(Object.fromEntries(expected));
});

/** Where it is, and what is said. Of those marked `only` a JSON Schema can say nothing. */
type Wrong = readonly [text: string, place: string, message: RegExp, only?: "only"];

const WRONG: readonly Wrong[] = [
  ["", "1:1", /the file is empty/, "only"],
  ["- do: { hang: true }", "1:1", /must have its list as faults:/],
  ["fault: []", "1:1", /a faults file has no "fault" \(did you mean faults\?\)/],
  ["seed: 1", "1:1", /a faults file lacks faults/],
  ["faults: []", "1:9", /there is no fault/],
  ["seed: x\nfaults:\n- do: { hang: true }", "1:7", /seed must be a whole number/],
  ["faults:\n- on: {}", "2:3", /a fault lacks do/],
  ["faults:\n- { when: {}, do: { hang: true } }", "2:5", /a fault has no "when"/],
  ["faults:\n- { do: {} }", "2:9", /do says nothing/],
  ["faults:\n- { do: { hangs: true } }", "2:11", /do has no "hangs" \(did you mean hang\?\)/],
  ["faults:\n- { do: { hang: 1 } }", "2:17", /hang must be true/],
  ["faults:\n- { do: { delay: 5 } }", "2:18", /delay must be a time such as 500ms/],
  ["faults:\n- { do: { slow: { bytes: 0, every: 1s } } }", "2:26", /bytes must be a whole number, 1 or more/],
  ["faults:\n- { do: { slow: { bytes: 1 } } }", "2:17", /slow lacks every/],
  ["faults:\n- { do: { error: { cod: 1 } } }", "2:20", /error has no "cod" \(did you mean code\?\)/],
  ["faults:\n- { do: { error: { code: x } } }", "2:26", /code must be a whole number/],
  ["faults:\n- { do: { toolError: no } }", "2:11", /toolError goes with method: tools\/call/, "only"],
  ["faults:\n- { do: { truncate: 0 } }", "2:21", /truncate must be a whole number, 1 or more/],
  ["faults:\n- { do: { wrongId: 1.5 } }", "2:20", /wrongId must be an id/],
  ["faults:\n- { do: { oversized: 10 } }", "2:22", /a size must be such as 64kb/],
  [
    "faults:\n- { do: { close: befor } }",
    "2:18",
    /close must be one of before, mid-stream, after \(did you mean before\?\)/,
  ],
  ["faults:\n- { do: { crash: 256 } }", "2:18", /255 at most/],
  ["faults:\n- { do: { status: 200 } }", "2:19", /from 400 to 599/],
  ["faults:\n- { do: { status: { retryAfter: 1 } } }", "2:19", /status lacks code/],
  ["faults:\n- { do: { status: { code: 401, headers: { a: 1 } } } }", "2:46", /a must be text/],
  [
    "faults:\n- { do: { status: { code: 401, headers: { 'a b': x } } } }",
    "2:44",
    /no name of a header/,
    "only",
  ],
  [
    'faults:\n- { do: { status: { code: 401, challenge: "a\\nb" } } }',
    "2:44",
    /challenge holds what no header can/,
    "only",
  ],
  [
    "faults:\n- { on: { method: tools/call, afterEvents: 1 }, do: { status: 500 } }",
    "2:55",
    /comes before anything else/,
    "only",
  ],
  ["faults:\n- { do: { cut: { retrys: 1 } } }", "2:18", /cut has no "retrys" \(did you mean retry\?\)/],
  ["faults:\n- { do: { noise: '' } }", "2:19", /noise must say something/],
  [
    "faults:\n- { on: { methd: a }, do: { hang: true } }",
    "2:11",
    /on has no "methd" \(did you mean method\?\)/,
  ],
  [
    "faults:\n- { on: { method: tool/call }, do: { hang: true } }",
    "2:19",
    /there is no method "tool\/call" \(did you mean tools\/call\?\)/,
    "only",
  ],
  [
    "faults:\n- { on: { method: roots/list }, do: { hang: true } }",
    "2:19",
    /nothing that a client asks/,
    "only",
  ],
  ["faults:\n- { on: { name: a }, do: { hang: true } }", "2:17", /name goes with a method/],
  [
    "faults:\n- { on: { method: tools/list, name: a }, do: { hang: true } }",
    "2:37",
    /name goes with a method/,
    "only",
  ],
  ["faults:\n- { on: { nth: 1, every: 2 }, do: { hang: true } }", "2:9", /either nth or every, not both/],
  ["faults:\n- { on: { nth: 0 }, do: { hang: true } }", "2:16", /nth must be a whole number, 1 or more/],
  ["faults:\n- { on: { probability: 2 }, do: { hang: true } }", "2:24", /probability must be above 0/],
  ["faults:\n- { on: { connect: false }, do: { hang: true } }", "2:20", /connect must be true/],
  [
    "faults:\n- { on: { connect: true, method: ping }, do: { hang: true } }",
    "2:34",
    /each client's first request/,
  ],
  [
    "faults:\n- { on: { across: all }, do: { hang: true } }",
    "2:19",
    /across is for what counts requests/,
    "only",
  ],
  [
    "faults:\n- { on: { nth: 1, across: both }, do: { hang: true } }",
    "2:27",
    /across must be one of client, all/,
  ],
  [
    "faults:\n- { do: { error: {}, hang: true } }",
    "2:22",
    /error: and hang: both stand in the place of the answer/,
    "only",
  ],
  ["faults:\n- { do: { hang: true, hang: true } }", "2:23", /occurs twice/, "only"],
  [
    "faults:\n- &x { do: { hang: true } }",
    "2:3",
    /anchors \(&name\) are not allowed in a faults file/,
    "only",
  ],
];

describe("what is wrong in a faults file is told with its place", () => {
  const rows = WRONG.map(([text, place, message, only]) => ({ text, place, message, only }));

  test.each(rows)("$text at $place", ({ text, place, message, only }) => {
    let error: VcrError | undefined;
    try {
      read(text);
    } catch (caught) {
      error = caught as VcrError;
    }
    expect(error?.code).toBe("faults-invalid");
    expect(error?.message).toMatch(message);
    expect(`${error?.place?.line}:${error?.place?.column}`).toBe(place);
    if (only === undefined) expect(conforms(load(text)), "the JSON Schema allows it").toBe(false);
  });
});
