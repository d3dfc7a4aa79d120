import fc from "fast-check";
import { expect, test } from "vitest";
import { addScript } from "../../../src/setup/add-script.ts";

const COMMAND = 'mcp-vcr record -- node "a b.js"';
const LINE = '"record": "mcp-vcr record -- node \\"a b.js\\""';

test.each([
  [
    "behind the last script",
    '{\n  "scripts": {\n    "test": "x"\n  },\n  "files": ["a"]\n}\n',
    `{\n  "scripts": {\n    "test": "x",\n    ${LINE}\n  },\n  "files": ["a"]\n}\n`,
  ],
  [
    "tabs, CRLF and no line end at the end",
    '{\r\n\t"scripts": {\r\n\t\t"test": "x"\r\n\t}\r\n}',
    `{\r\n\t"scripts": {\r\n\t\t"test": "x",\r\n\t\t${LINE}\r\n\t}\r\n}`,
  ],
  [
    "no script yet",
    '{\n    "name": "a",\n    "scripts": {}\n}\n',
    `{\n    "name": "a",\n    "scripts": {\n        ${LINE}\n    }\n}\n`,
  ],
  [
    "no scripts",
    '{\n\t"type": "module"\n}\n',
    `{\n\t"type": "module",\n\t"scripts": {\n\t\t${LINE}\n\t}\n}\n`,
  ],
  ["one line", '{ "type": "module" }\n', `{ "type": "module", "scripts": { ${LINE} } }\n`],
  ["no space", '{"scripts":{"a":"b"}}', `{"scripts":{"a":"b",${LINE}}}`],
  ["nothing", "{}\n", `{\n  "scripts": {\n    ${LINE}\n  }\n}\n`],
  [
    "a byte order mark",
    '\ufeff{ "a": "ü", "scripts": { "t": "" } }',
    `\ufeff{ "a": "ü", "scripts": { "t": "", ${LINE} } }`,
  ],
])("%s", (_what, before, after) => {
  expect(addScript(before, "record", COMMAND)).toBe(after);
});

test("whatever stands there stays, and the script is there", () => {
  const scripts = fc.dictionary(fc.string(), fc.string());
  const manifest = fc.oneof(
    fc.dictionary(fc.string(), fc.jsonValue()),
    fc.record({ scripts, files: fc.jsonValue() }, { requiredKeys: [] }),
  );
  const plain = manifest.filter((value) => !("scripts" in value) || typeof value.scripts === "object");
  const indent = fc.constantFrom(0, 1, 2, "\t");
  const holds = fc.property(plain, indent, fc.string(), (value, space, command) => {
    const before = { ...value } as { scripts?: Record<string, string> };
    if (Array.isArray(before.scripts) || before.scripts === null) delete before.scripts;
    if (before.scripts) delete before.scripts.record;
    const after = addScript(JSON.stringify(before, null, space), "record", command);
    // As text: it tells the order of members, too.
    expect(JSON.stringify(JSON.parse(after))).toBe(
      JSON.stringify(
        JSON.parse(JSON.stringify({ ...before, scripts: { ...before.scripts, record: command } })),
      ),
    );
  });
  fc.assert(holds, { seed: Number(process.env.FC_SEED ?? 1), numRuns: 200 });
});
