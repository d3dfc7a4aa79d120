import { describe, expect, test } from "vitest";
import { jsonlCodec } from "../../../src/cassette/jsonl/codec.ts";
import { yamlCodec } from "../../../src/cassette/yaml/codec.ts";
import type { Entry, Header } from "../../../src/exchange/entry.ts";
import { recordedOver, rerecorded } from "../../cases/rerecord.ts";
import { client, closed, HTTP, notice, request, result, STDIO, server } from "../../cases/tape.ts";
import { fileOf } from "../cassette/support.ts";

const timed = (entries: readonly Entry[], pace = 10): Entry[] =>
  entries.map((entry, index) => ({ ...entry, at: index * pace }));

const call = (id: number | string, name: string, text = `${name} says so`): Entry[] => [
  client(request(id, "tools/call", { name, _meta: { progressToken: id } })),
  server(result(id, { content: [{ type: "text", text }] })),
];

/** Lines that are in one text only: `-` in the first, `+` in the second. */
function diff(before: string, after: string): string[] {
  const [was, is] = [before.split("\n"), after.split("\n")];
  const minus = (a: string[], b: string[], sign: string) =>
    a.filter((line) => !b.includes(line)).map((line) => sign + line.trim());
  return [...minus(was, is, "-"), ...minus(is, was, "+")];
}

const again = (old: readonly Entry[], fresh: readonly Entry[], header: Header = STDIO) =>
  rerecorded(yamlCodec, timed(old), timed(fresh, 7), header);

describe("what is real change", () => {
  test.each([
    { name: "text that tells the time", was: '"10:01"', is: '"10:02"' },
    { name: "how a number is spelt", was: "1", is: "1.0" },
    { name: "the order of a list", was: "[1,2]", is: "[2,1]" },
    { name: "what kind of value a member has", was: "null", is: '"null"' },
  ])("$name", ({ was, is }) => {
    const answer = (value: string) => server(`{"jsonrpc":"2.0","id":1,"result":{"content":${value}}}`);
    const asked = client(request(1, "tools/call", { name: "a" }));
    const { old, text, same } = again([asked, answer(was)], [asked, answer(is)]);
    expect(same).toBe(false);
    expect(diff(old, text).length).toBeGreaterThan(0);
  });

  test("a time limit that is gone, or of another kind, but not one of another length", () => {
    const of = (task: object) => [
      client(request(1, "tools/call", { name: "a" })),
      server(result(1, { task: { taskId: "t-123456", status: "working", ...task } })),
    ];
    expect(again(of({ ttl: 10 }), of({ ttl: 20 })).same).toBe(true);
    expect(again(of({ ttl: 10 }), of({ ttl: null })).same).toBe(false);
    expect(again(of({ ttl: 10 }), of({})).same).toBe(false);
  });

  test("a number where the server minted a text", () => {
    const of = (taskId: string | number) => [
      client(request(1, "tools/call", { name: "a" })),
      server(result(1, { task: { taskId, status: "working" } })),
    ];
    expect(again(of("t-123456"), of("t-654321")).same).toBe(true);
    const { same, text } = again(of("t-123456"), of(654321));
    expect({ same, kept: text.includes("taskId: 654321") }).toEqual({ same: false, kept: true });
  });

  test("an error in the place of a result, and a server's name", () => {
    const opened = (version: string) => [
      client(request(1, "initialize", {})),
      server(result(1, { serverInfo: { name: "s", version } })),
    ];
    const { old, text } = again(opened("1"), opened("2"));
    expect(diff(old, text)).toEqual([
      '-result: { serverInfo: { name: s, version: "1" } }',
      '+result: { serverInfo: { name: s, version: "2" } }',
    ]);
  });
});

describe("what is none", () => {
  test("members in another order", () => {
    const asked = client(request(1, "tools/call", { name: "a" }));
    const one = server('{"jsonrpc":"2.0","id":1,"result":{"a":1,"b":{"c":2,"d":3}}}');
    const other = server('{"result":{"b":{"d":3,"c":2},"a":1},"id":1,"jsonrpc":"2.0"}');
    expect(again([asked, one], [asked, other]).same).toBe(true);
  });

  test("log lines and a question for roots that came at another moment, where one stream carries everything", () => {
    const log = server(notice("notifications/message", { data: "hello" }));
    const changed = server(notice("notifications/tools/list_changed"));
    const roots = [server(request(0, "roots/list")), client(result(0, { roots: [] }))];
    const [ask, answer] = call(1, "a") as [Entry, Entry];
    const rest = call(2, "b");
    const old = [ask, log, answer, changed, ...roots, ...rest];
    const fresh = [changed, ask, ...roots, answer, log, ...rest];
    expect(again(old, fresh)).toMatchObject({ same: true });
  });

  test("a port of this machine, also where headers name it", () => {
    const of = (port: number) => {
      const path = { method: "POST", path: "/mcp" };
      const challenge = `Bearer resource_metadata="http://127.0.0.1:${port}/meta"`;
      return [
        client(request(1, "initialize", {}), { http: path }),
        server(undefined, {
          on: { id: "1" },
          http: { status: 401, headers: { "www-authenticate": challenge } },
        }),
      ];
    };
    const headerOf = (port: number): Header => ({
      ...HTTP,
      source: { transport: "http", url: `http://127.0.0.1:${port}/mcp` },
    });
    const old = fileOf(yamlCodec, of(3000), headerOf(3000));
    const fresh = fileOf(yamlCodec, of(4000), { ...headerOf(4000), recorded: "2027-01-01T00:00:00.000Z" });
    expect(recordedOver(yamlCodec, old, fresh)).toMatchObject({ same: true, text: old });
    const elsewhere = old.replaceAll("127.0.0.1:3000", "example.com");
    expect(recordedOver(yamlCodec, elsewhere, fresh).same).toBe(false);
  });
});

describe("what is new stands at its place, and nothing else changes", () => {
  test("a call in the middle, with an id that is free", () => {
    const { old, text } = again(
      [...call(0, "a"), ...call(1, "b")],
      [...call(0, "a"), ...call(1, "new"), ...call(2, "b")],
    );
    const added = diff(old, text);
    expect(added.every((line) => line.startsWith("+"))).toBe(true);
    expect(added).toContain("+id: 2");
    expect(text.indexOf("name: new")).toBeGreaterThan(text.indexOf("name: a"));
    expect(text.indexOf("name: new")).toBeLessThan(text.indexOf("name: b"));
    // Its old text still says which answer is whose.
    expect(text).toContain("--- # server: result of tools/call new");
  });

  test("a call that is gone takes nothing with it", () => {
    const { old, text } = again(
      [...call(0, "a"), ...call(1, "b"), ...call(2, "c")],
      [...call(5, "a"), ...call(6, "c")],
    );
    expect(diff(old, text).every((line) => line.startsWith("-"))).toBe(true);
  });

  test("progress more than before, within its exchange", () => {
    const progress = (n: number) =>
      server(notice("notifications/progress", { progressToken: 1, progress: n }));
    const [ask, answer] = call(1, "a") as [Entry, Entry];
    const { old, text } = again(
      [ask, progress(1), progress(3), answer],
      [ask, progress(1), progress(2), progress(3), answer],
    );
    expect(diff(old, text)).toEqual(["+at: 17", "+params: { progressToken: 1, progress: 2 }"]);
  });

  test("other arguments change the lines that hold them", () => {
    const of = (id: number, city: string) => [
      client(request(id, "tools/call", { name: "forecast", arguments: { city } })),
      server(result(id, { content: [] })),
    ];
    const { old, text } = again(of(1, "Oslo"), of(9, "Bergen"));
    expect(diff(old, text)).toEqual([
      "-params: { name: forecast, arguments: { city: Oslo } }",
      "+params: { name: forecast, arguments: { city: Bergen } }",
    ]);
  });
});

describe("what the server mints", () => {
  const chain = (task: string, said = "started") => [
    client(request(1, "tools/call", { name: "a" })),
    server(result(1, { task: { taskId: task, status: "working" }, content: [{ type: "text", text: said }] })),
    client(request(2, "tasks/get", { taskId: task })),
    server(result(2, { taskId: task, status: "completed" })),
  ];

  test("becomes the old value throughout, also where something changed", () => {
    expect(again(chain("task-aaaaaa"), chain("task-bbbbbb")).same).toBe(true);
    const { old, text } = again(chain("task-aaaaaa"), chain("task-bbbbbb", "begun"));
    expect(diff(old, text)).toEqual([
      "-content: [{ type: text, text: started }]",
      "+content: [{ type: text, text: begun }]",
    ]);
  });

  test("becomes the old value where progress was asked for in one of the two only", () => {
    const fetched = (taskId: string, more: object = {}) => [
      client(request(1, "tasks/result", { taskId, ...more })),
      server(result(1, { content: [] })),
    ];
    const asking = { _meta: { progressToken: 7 } };
    expect(again(fetched("task-aaaaaa", asking), fetched("task-bbbbbb")).text).not.toContain("task-bbbbbb");
    expect(again(fetched("task-aaaaaa"), fetched("task-bbbbbb", asking)).text).not.toContain("task-bbbbbb");
  });

  test("stays new throughout when a text tells it too", () => {
    const { text } = again(chain("task-aaaaaa", "see task-aaaaaa"), chain("task-bbbbbb", "see task-bbbbbb"));
    expect(text).not.toContain("task-aaaaaa");
    expect(text.match(/task-bbbbbb/g)).toHaveLength(4);
  });

  test("never becomes a value that stands for something else now", () => {
    const two = (first: string, second: string) => [
      client(request(1, "tools/call", { name: "a" })),
      server(result(1, { task: { taskId: first } })),
      client(request(2, "tools/call", { name: "b" })),
      server(result(2, { task: { taskId: second } })),
    ];
    const { text } = again(two("task-111111", "task-222222"), two("task-222222", "task-333333"));
    expect(text).not.toContain("task-111111");
    expect(text.match(/task-222222/g)).toHaveLength(1);
  });
});

describe("the file's own words", () => {
  const entries = timed([...call(1, "a"), ...call(2, "b"), closed("client", { reason: "eof" })]);
  const later = fileOf(
    yamlCodec,
    timed([...call(3, "a"), ...call(4, "b"), closed("client", { reason: "eof" })], 3),
    {
      ...STDIO,
      recorded: "2027-01-01T00:00:00.000Z",
      recorder: "mcp-vcr/9.0.0",
    },
  );
  const plain = fileOf(yamlCodec, entries, STDIO);

  test("comments, layout and empty lines stay", () => {
    const old = plain
      .replace("mcp-vcr: 1", "# of the weather\nmcp-vcr: 1")
      .replace("--- # client: tools/call b", "# and now b\n\n---")
      .replace("from: client\nmessage:", "from:   client  # the first\nmessage:")
      .concat("# the end\n");
    expect(old).not.toBe(plain);
    expect(recordedOver(yamlCodec, old, later)).toMatchObject({ same: true, text: old });
  });

  test("a comment behind an entry stays when the entry changes", () => {
    const old = plain
      .replace("--- # client: tools/call b", "# and now b\n--- # client: tools/call b")
      .replace("a says so", "no");
    const { text } = recordedOver(yamlCodec, old, later);
    expect(text).toContain("a says so");
    expect(text).toContain("\n# and now b\n--- # client: tools/call b");
  });

  test("lines of JSON stay as they are spelt", () => {
    const old = fileOf(jsonlCodec, entries, STDIO)
      .replaceAll('"jsonrpc":', '"jsonrpc" : ')
      .replace("\n", "\n\n")
      .trimEnd();
    const fresh = fileOf(
      jsonlCodec,
      timed([...call(3, "a"), ...call(4, "b"), closed("client", { reason: "eof" })]),
      STDIO,
    );
    expect(recordedOver(jsonlCodec, old, fresh)).toMatchObject({ same: true, text: old });
    const more =
      fresh +
      fileOf(jsonlCodec, timed(call(5, "c")), STDIO)
        .split("\n")
        .slice(1)
        .join("\n");
    expect(recordedOver(jsonlCodec, old, more).text.split("\n").slice(0, -3).join("\n")).toBe(old);
  });

  test("an end that is cut off is replaced", () => {
    const old = plain.slice(0, -20);
    const { text, same } = recordedOver(yamlCodec, old, later);
    expect(same).toBe(false);
    expect(diff(plain, text)).toEqual(["-at: 40", "+at: 33"]);
  });

  test("of several recordings in one file nothing is kept", () => {
    expect(recordedOver(yamlCodec, plain + plain, later)).toMatchObject({
      arrangement: undefined,
      text: later,
    });
  });
});

test("a retry whose state must stay the new one keeps its old id and place", () => {
  const rounds = (state: string, first: number) => [
    client(request(first, "tools/call", { name: "a" })),
    server(result(first, { resultType: "input_required", requestState: state })),
    client(request(first + 1, "tools/call", { name: "a", requestState: state })),
    server(result(first + 1, { content: [{ type: "text", text: `state ${state}` }] })),
  ];
  const { old, text } = again(rounds("state-one", 1), rounds("state-two", 5));
  const changed = diff(old, text);
  expect(changed.filter((line) => /^.(?:id|at):/.test(line))).toEqual([]);
  expect(changed.some((line) => line.includes("state-two"))).toBe(true);
});
