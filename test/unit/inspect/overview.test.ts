import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import type { Entry } from "../../../src/exchange/entry.ts";
import { DATA_MARK, htmlPieces } from "../../../src/inspect/html.ts";
import { jsonLines } from "../../../src/inspect/json.ts";
import { mermaidLines } from "../../../src/inspect/mermaid.ts";
import { type Filter, OverviewBuilder } from "../../../src/inspect/overview.ts";
import { textLines } from "../../../src/inspect/text.ts";
import { client, closed, error, notice, request, result, STDIO, server } from "../../cases/tape.ts";

const HOSTILE = "</script><script>alert(1)</script>";

const ENTRIES: readonly Entry[] = [
  client(request(1, "initialize", { protocolVersion: "2025-11-25" }), { at: 5 }),
  server(result(1, { protocolVersion: "2025-11-25" }), { at: 20 }),
  client(request(2, "tools/call", { name: HOSTILE, arguments: { city: "Oslo" } }), { at: 30 }),
  server(notice("notifications/progress", { progressToken: 1 }), { at: 31 }),
  server(result(2, { content: [], isError: true }), { at: 130 }),
  server(request(1, "ping"), { at: 131, session: 2 }),
  client('{"jsonrpc":"2.0","id":1,"result":{"big":9007199254740993,"one":1.0}}', { at: 133, session: 2 }),
  client([request(3, "tools/list"), request(4, "tools/call", { name: "forecast" })], { at: 140 }),
  server([error(4, -32602), result(3, { tools: [] })], { at: 150 }),
  server("half a \u001b[31mline", { at: 160 }),
  closed("server", { exit: 3 }, { at: 170 }),
];

function overview(filter: Filter = {}, entries = ENTRIES) {
  const builder = new OverviewBuilder({ cassette: "weather.yaml", bodies: true, ...filter });
  for (const [index, entry] of entries.entries()) builder.add({ entry, line: 10 * index + 1 });
  return builder.finish(STDIO);
}

const schema = readFileSync(
  new URL("../../../src/inspect/schema/inspect.schema.json", import.meta.url),
  "utf8",
);
const validate = new Ajv2020({ strict: true, strictRequired: false }).compile(JSON.parse(schema));

test("methods and tools are counted, with errors, failures and times", () => {
  const { methods, tools, revisions, sessions, duration } = overview();
  expect({ revisions, sessions, duration }).toEqual({
    revisions: ["2025-11-25"],
    sessions: 2,
    duration: 165,
  });
  expect(methods).toContainEqual({
    method: "tools/call",
    from: "client",
    times: 2,
    answered: 2,
    errors: 1,
    ms: { min: 10, median: 10, max: 100 },
  });
  expect(methods).toContainEqual(expect.objectContaining({ method: "ping", from: "server", answered: 1 }));
  expect(tools.map(({ tool, errors, failures }) => [tool, errors, failures])).toEqual([
    [HOSTILE, 0, 1],
    ["forecast", 1, 0],
  ]);
});

test("an answer names its request, in its session and from its side", () => {
  const { timeline } = overview();
  const answers = timeline.flatMap((row, index) =>
    row.answers === undefined ? [] : [[index, row.answers, row.ms]],
  );
  expect(answers).toEqual([
    [1, 0, 15],
    [4, 2, 100],
    [6, 5, 2],
    [11, 9, 10],
    [12, 8, 10],
  ]);
  expect(timeline.map(({ kind }) => kind).slice(7)).toEqual([
    "batch",
    "request",
    "request",
    "batch",
    "error",
    "result",
    "noise",
    "closed",
  ]);
});

describe("a filter", () => {
  test("by method lets requests and their answers through, and renumbers what they answer", () => {
    const { timeline, rows } = overview({ method: "tools/call" });
    expect(timeline.map(({ kind, answers }) => [kind, answers])).toEqual([
      ["request", undefined],
      ["result", 0],
      ["request", undefined],
      ["error", 2],
    ]);
    expect(rows).toBe(15);
  });

  test("by text looks into labels and bodies", () => {
    expect(overview({ grep: /oslo/i }).timeline.map(({ at }) => at)).toEqual([30]);
    expect(overview({ grep: /exit code/ }).timeline.map(({ at }) => at)).toEqual([170]);
  });
});

test("the JSON conforms to its schema, and messages stand in it digit by digit", () => {
  const text = [...jsonLines(overview())].join("\n");
  expect(validate(JSON.parse(text)) || validate.errors).toBe(true);
  expect(text).toContain('"message":{"jsonrpc":"2.0","id":1,"result":{"big":9007199254740993,"one":1.0}}');
  const empty = JSON.parse([...jsonLines(overview({}, []))].join("\n"));
  expect(validate(empty) || validate.errors).toBe(true);
  expect(validate({ ...empty, entries: "none" })).toBe(false);
});

test("the text holds no control characters of the cassette's", () => {
  const lines = [...textLines(overview())];
  expect(lines.join("\n")).not.toMatch(/\u001b/);
  expect(lines).toContain(
    "  130 ms  [1] ← failure of tools/call </script><script>alert(1)</script> #2, after 100 ms".replace(
      "  130",
      "  130",
    ),
  );
});

describe("the diagram", () => {
  test("escapes what means something to Mermaid or HTML", () => {
    const lines = [...mermaidLines(overview())];
    expect(lines.slice(0, 3)).toEqual([
      "sequenceDiagram",
      "  %% weather.yaml",
      "  participant C1 as client 1",
    ]);
    expect(lines.join("\n")).not.toMatch(/[<>](?![>)])script|;[^\s]*;?script>/);
    expect(lines).toContain("  C1->>S1: tools/call #60;/script#62;#60;script#62;alert(1)#60;/script#62;");
    expect(lines).toContain("  S1--xC1: (in batch) error -32602 of tools/call forecast");
  });

  test("is capped, and says so", () => {
    const many = Array.from({ length: 600 }, (_, index) => client(notice(`n/${index}`)));
    const lines = [...mermaidLines(overview({}, many))];
    expect(lines.at(-1)).toBe("  Note over C1,S1: 100 more rows left out");
    expect(lines).toHaveLength(505);
  });

  test("of nothing is a diagram all the same", () => {
    expect([...mermaidLines(overview({}, []))].at(-1)).toBe("  participant C1 as nothing is shown");
  });
});

describe("the page", () => {
  test("holds the session as data that no parser of HTML sees", () => {
    const page = [...htmlPieces(`<a>${DATA_MARK}<b>`, overview())].join("");
    expect(page).toMatch(/^<a><script type="application\/json" id="session">\{[^<]*\}<\/script><b>$/);
    const data = JSON.parse(/\{[^<]*\}/.exec(page)?.[0] ?? "");
    expect(data.timeline[2]).toMatchObject({ name: HOSTILE, form: "message" });
    expect(JSON.parse(data.timeline[2].body).params.name).toBe(HOSTILE);
  });

  test("cuts a long body off, and says how long it is", () => {
    const page = [...htmlPieces(DATA_MARK, overview({}, [server("x".repeat(300_000))]))].join("");
    const [row] = JSON.parse(/\{[^<]*\}/.exec(page)?.[0] ?? "").timeline;
    expect([row.body.length, row.whole, row.bytes]).toEqual([262_144, 300_000, 300_000]);
  });

  test("a template without a place for the data is refused", () => {
    expect(() => [...htmlPieces("<p>", overview())]).toThrow(/no place/);
  });
});
