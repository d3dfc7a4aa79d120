import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Entry } from "../../src/exchange/entry.ts";
import { readCassette, tempFolder } from "./support/cassette.ts";
import { HttpTalk } from "./support/http-talk.ts";
import { CLI, fixture, run, start } from "./support/program.ts";
import { Talk } from "./support/talk.ts";
import { LISTEN, serve } from "./support/walk.ts";

const convert = (...args: string[]) => run([CLI, "convert", ...args]);

/** What an entry is, on one line. */
const line = ({ from, on, http, body, session }: Entry): string => {
  const text = body ? Buffer.from(body.bytes).toString() : "";
  const method = /"method":\s*"([^"]+)"/.exec(text)?.[1];
  const what = method ?? (text.includes('"result"') ? "result" : text.includes('"error"') ? "error" : text);
  const stream = on === undefined ? "" : ` on ${typeof on === "object" ? on.id : on}`;
  const facts = http ? ` ${http.method ?? ""}${http.path ?? ""}${http.status ?? ""}` : "";
  return `${session} ${from}${stream}${facts} ${what}`.trim();
};

const STDIO = ["1 client initialize", "1 server result"];
const CALL = ["1 client tools/call", "1 server notifications/progress", "1 server result"];

interface Case {
  readonly fixture: string;
  readonly lines: readonly string[];
  readonly notice: RegExp;
}

const CASES: readonly Case[] = [
  {
    fixture: "agent-vcr.vcr",
    lines: [...STDIO, ...CALL, "1 client ping", "1 server result"],
    notice: /agent-vcr keeps requests with their answers/,
  },
  {
    fixture: "mcp-recorder.json",
    lines: [
      "1 client POST/weather/mcp initialize",
      "1 server on 0 200 result",
      "1 client POST/weather/mcp notifications/initialized",
      "1 server on post 202",
      "1 client POST/weather/mcp tools/call",
      "1 server on 1 200 result",
      "1 client GET/weather/mcp",
      "1 server on get 405",
      "1 client DELETE/weather/mcp",
      "1 server on delete 200",
    ],
    notice: /mcp-recorder keeps the first message of each answer/,
  },
  {
    fixture: "mcp-cassette.json",
    lines: [
      ...STDIO,
      "1 client notifications/initialized",
      "1 client tools/call",
      "1 server starting up",
      ...CALL.slice(1),
    ],
    notice: /mcp-cassette does not keep the command/,
  },
  {
    fixture: "mcp-cassette-http.json",
    lines: [
      "1 client initialize",
      "1 server on 0 result",
      "1 client notifications/initialized",
      "1 client tools/call",
      "1 server on 1 notifications/progress",
      "1 server on 1 result",
      "1 server on get notifications/tools/list_changed",
    ],
    notice: /^$/,
  },
  {
    fixture: "mcp-cassette.jsonl",
    lines: [
      ...STDIO,
      "1 client notifications/initialized",
      "1 server starting up",
      "1 client tools/call",
      "1 server result",
    ],
    notice: /an entry of the unknown type "later" is left out/,
  },
  {
    fixture: "mcp-cassette-http.jsonl",
    lines: [
      "1 client POST/mcp initialize",
      "1 server on 1 200 result",
      "1 client POST/mcp notifications/initialized",
      "1 server on post 202",
      "1 client POST/mcp tools/call",
      "1 server on 2 200 notifications/progress",
      "1 server on 2 result",
      "1 client POST/mcp nope",
      "1 server on 3 404 error",
      "1 server on get notifications/tools/list_changed",
    ],
    notice: /^$/,
  },
  {
    fixture: "browser.har",
    lines: [
      "1 client POST/mcp initialize",
      "1 server on 1 200 result",
      "1 client POST/mcp notifications/initialized",
      "1 server on post 202",
      "1 client POST/mcp tools/call",
      "1 server on 2 200 notifications/progress",
      "1 server on 2 result",
      "1 client DELETE/mcp",
      "1 server on delete 200",
    ],
    notice: /a HAR does not tell when the events of a stream came/,
  },
];

const CALLED = { city: "Oslo", days: 1 };

describe.each(CASES)("$fixture", ({ fixture: name, lines, notice }) => {
  test("becomes a cassette that keeps every message exactly, passes check, and is served", async () => {
    const file = join(tempFolder(), "converted.yaml");
    const converted = await convert(fixture(`foreign/${name}`), "-o", file);
    expect(converted.stderr).toMatch(notice);
    expect(converted.code).toBe(0);
    const { entries } = await readCassette(file);
    expect(entries.map(line)).toEqual(lines);
    const call = entries.find((entry) => line(entry).endsWith("tools/call"));
    expect(Buffer.from(call?.body?.bytes ?? []).toString()).toMatch(/"days":\s*1\.0\b/);
    expect(readFileSync(file, "utf8")).not.toMatch(/handmade/);
    const checked = await run([CLI, "check", file]);
    expect(checked.stdout.toString()).toMatch(/nothing found/);
    const mock = new Talk(start(serve(file)));
    await mock.initialize();
    expect((await mock.call("forecast", CALLED)).result?.content[0].text).toBe("3 °C, rain");
    expect((await mock.program.finish()).code).toBe(0);
  });
});

test("what came over HTTP is served over HTTP, too", async () => {
  const file = join(tempFolder(), "converted.jsonl");
  await convert(fixture("foreign/browser.har"), "-o", file);
  const server = start(serve(file, ...LISTEN));
  const mock = new HttpTalk(await server.url(), {
    authorization: "Bearer eyJhbGciOi.handmade.token0000000000",
  });
  await mock.initialize();
  expect((await mock.call("forecast", CALLED)).result?.content[0].text).toBe("3 °C, rain");
  expect((await server.stop()).code).toBe(0);
});

test("YAML and JSON Lines, there and back", async () => {
  const folder = tempFolder();
  const [there, back] = [join(folder, "a.jsonl"), join(folder, "b.yaml")];
  expect((await convert("cassettes/everything-http.yaml", "-o", there)).stderr).toBe("");
  expect((await convert(there, "-o", back)).code).toBe(0);
  expect(readFileSync(back, "utf8")).toBe(readFileSync("cassettes/everything-http.yaml", "utf8"));
});

test("what is no recording is refused, and nothing is left", async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, "a.json"), '{"a":1}');
  const { code, stderr } = await convert(join(folder, "a.json"), "-o", join(folder, "out.yaml"));
  expect(stderr).toMatch(/a\.json: is no recording that convert knows\nIt reads cassettes .*agent-vcr/);
  expect(code).toBe(3);
  expect(existsSync(join(folder, "out.yaml"))).toBe(false);
});

test("an output that is there, or is no cassette, is refused", async () => {
  const weather = "cassettes/weather.yaml";
  const { code, stderr } = await convert(weather, "-o", weather);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/exists already/) });
  expect((await convert(weather, "-o", "x.json")).code).toBe(2);
});
