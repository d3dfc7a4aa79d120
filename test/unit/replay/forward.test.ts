import { describe, expect, test } from "vitest";
import { conforming } from "../../cases/report-schema.ts";
import {
  client,
  error,
  LiveClient,
  notice,
  request,
  result,
  type Said,
  server,
  tape,
  textsOf,
} from "../../cases/tape.ts";
import { aMoment, asks, FakeServer } from "./fake-server.ts";

/** What no recording answers is asked of a real server, in memory here. */

const INITIALIZE = request(0, "initialize", {
  protocolVersion: "2025-11-25",
  capabilities: { sampling: {} },
  clientInfo: { name: "rec", version: "1" },
});
const OPENED = result(0, {
  protocolVersion: "2025-11-25",
  capabilities: {},
  serverInfo: { name: "s", version: "1" },
});
const INITIALIZED = notice("notifications/initialized");
const call = (id: number | string, name: string, more: object = {}) =>
  request(id, "tools/call", { name, arguments: {}, ...more });

const OPENING = [client(INITIALIZE), server(OPENED), client(INITIALIZED)];
const RECORDED = [...OPENING, client(call(1, "known")), server(result(1, "as recorded"))];

/** A served tape whose client has been opened from the recording. */
function opened(...given: ConstructorParameters<typeof FakeServer>) {
  const real = new FakeServer(...given);
  const live = real.tape.connect();
  live.say({ ...INITIALIZE, id: 7 });
  live.say(INITIALIZED);
  return { real, live };
}

/** The same, and the first unrecorded request is with the server. */
async function forwarding(asked: Said, ...given: ConstructorParameters<typeof FakeServer>) {
  const { real, live } = opened(...given);
  expect(await asks(live, asked)).toEqual([]);
  const { link } = real;
  link.sent();
  link.says({ ...OPENED, id: 7 });
  expect(link.sent()).toEqual([INITIALIZED, asked]);
  return { real, live, link };
}

describe("a request that is not recorded", () => {
  test("goes out after a session opened as the client's own was, and its answer comes back exactly", async () => {
    const { real, live } = opened(RECORDED);
    const asked = '{"jsonrpc":"2.0", "id":"a","method":"tools/call","params":{"n":1.0,"name":"new"}}';
    live.say(asked);
    expect(real.links).toEqual([]);
    await aMoment();
    expect(real.link.sent()).toEqual([{ ...INITIALIZE, id: 7 }]);
    real.link.says({ ...OPENED, id: 7 });
    expect(real.link.texts()).toEqual([JSON.stringify(INITIALIZED), asked]);
    const answer = '{"id":"a", "result":{"big":9007199254740993},"jsonrpc":"2.0"}';
    real.link.says(answer);
    expect(textsOf(live.actions())).toEqual([answer]);
    // The opening is in the cassette already.
    expect(real.keptLines).toEqual([`2 client ${asked}`, `2 server ${answer}`]);
  });

  test("opens no second session, and what is recorded does not get there", async () => {
    const { live, link } = await forwarding(call("a", "new"), RECORDED);
    expect(await asks(live, call("b", "other"))).toEqual([]);
    expect(await asks(live, call("c", "known"))).toEqual([result("c", "as recorded")]);
    expect(link.sent()).toEqual([call("b", "other")]);
  });

  test("is no miss: it is reported as forwarded, and said once on the first", async () => {
    const { real, live, link } = await forwarding(call("a", "new"), RECORDED);
    link.says(result("a", 1));
    await asks(live, call("b", "other"));
    link.says(error("b", -32602, "no"));
    expect(conforming(real.tape.player.report())).toMatchObject({
      misses: [],
      forwarded: [
        { label: "tools/call new", asked: { name: "new" }, outcome: "answered", appended: true },
        { label: "tools/call other", outcome: "answered", appended: true },
      ],
    });
    expect(real.tape.player.failed).toBe(false);
    expect(real.notices).toHaveLength(1);
    expect(real.notices[0]).toMatch(
      /^tools\/call new is not recorded: asking the real server \(node real\.js\)/,
    );
  });

  test("of the modern era opens nothing, and tells over HTTP what its body says", async () => {
    const meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
    const modern = (id: number, name: string) => call(id, name, { _meta: meta });
    const real = new FakeServer([client(modern(1, "known")), server(result(1, "as recorded"))]);
    const live = real.tape.connect();
    await asks(live, modern(4, "naïve"));
    expect(real.link.sent()).toEqual([modern(4, "naïve")]);
    expect(real.link.headers).toEqual([
      {
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "=?base64?bmHDr3Zl?=",
      },
    ]);
  });

  test("takes the live client's headers along where it came over HTTP", async () => {
    const { real, live } = opened(RECORDED);
    const headers = { authorization: "Bearer x", "mcp-protocol-version": "2025-11-25" };
    live.say(call("a", "new"), { headers });
    await aMoment();
    expect(real.link.headers).toEqual([headers]);
  });

  test("asked with nothing recorded, is the opening too when it is one", async () => {
    const real = new FakeServer([]);
    const live = real.tape.connect();
    await asks(live, INITIALIZE);
    real.link.says(OPENED);
    expect(live.actions()).toHaveLength(1);
    live.say(INITIALIZED);
    await asks(live, call(1, "new"));
    real.link.says(result(1, "there"));
    expect(real.link.sent()).toEqual([INITIALIZE, INITIALIZED, call(1, "new")]);
    expect(real.keptLines.map((line) => line.replace(/ \{.*/, ""))).toEqual([
      "2 client",
      "2 server",
      "2 client",
      "2 client",
      "2 server",
    ]);
  });

  test("of a client that opened nothing goes out as it is", async () => {
    const real = new FakeServer(RECORDED);
    await asks(real.tape.connect(), call(1, "new"));
    expect(real.link.sent()).toEqual([call(1, "new")]);
  });

  test("each client has a connection of its own, and a session of its own in the cassette", async () => {
    const real = new FakeServer(RECORDED);
    const lives = [real.tape.connect(), real.tape.connect()];
    for (const [index, live] of lives.entries()) await asks(live, call(1, `new${index}`));
    const [first, second] = real.links;
    second?.says(result(1, "second"));
    first?.says(result(1, "first"));
    expect(lives.map((live) => textsOf(live.actions()))).toEqual([
      [JSON.stringify(result(1, "first"))],
      [JSON.stringify(result(1, "second"))],
    ]);
    expect(real.kept.map(({ session }) => session)).toEqual([2, 2, 3, 3]);
    lives[0]?.session.close();
    expect(real.links.map((link) => link.isClosed)).toEqual([true, false]);
  });

  test.each([["ping"], ["server/discover"]])("a probe (%s) stays here", async (method) => {
    const { real, live } = opened(RECORDED);
    expect(await asks(live, request(5, method))).toHaveLength(1);
    expect(real.links).toEqual([]);
  });

  test("beyond what is recorded is a miss with --strict, not the server's to answer", async () => {
    const { real, live } = opened(RECORDED, {}, { strict: true });
    await asks(live, call(1, "known"));
    expect(await asks(live, call(2, "known"))).toMatchObject([{ error: { code: -32010 } }]);
    expect(real.links).toEqual([]);
  });
});

describe("asked again", () => {
  test("by the same client, goes to the server again: so a poll reaches its end", async () => {
    const { real, live, link } = await forwarding(call("a", "poll"), RECORDED);
    link.says(result("a", "working"));
    expect(await asks(live, call("b", "poll"))).toEqual([result("a", "working")]);
    link.says(result("b", "done"));
    expect(textsOf(live.actions())).toEqual([JSON.stringify(result("b", "done"))]);
    const again = tape([...RECORDED, ...real.kept], { strict: true }).connect();
    expect([again.say(call(1, "poll")), again.say(call(2, "poll"))]).toEqual([
      [result(1, "working")],
      [result(2, "done")],
    ]);
  });

  test("by another client, is answered by what was appended, in this run as in the next", async () => {
    const { real, link } = await forwarding(call("a", "new"), RECORDED);
    const progress = notice("notifications/progress", { progressToken: 1, progress: 1 });
    const other = real.tape.connect();
    // Not before it is answered.
    await asks(other, call(1, "new"));
    expect(real.links).toHaveLength(2);
    link.says(progress);
    link.says(result("a", "there"));
    const third = real.tape.connect();
    expect(await asks(third, call(3, "new"))).toEqual([result(3, "there")]);
    expect(real.links).toHaveLength(2);
    expect(real.tape.player.report()).toMatchObject({ repeats: [], misses: [] });
  });

  test("where nothing is kept, goes to the server every time", async () => {
    const { real, live, link } = await forwarding(call("a", "new"), RECORDED, { keeps: false });
    link.says(result("a", 1));
    expect(await asks(live, call("b", "new"))).toEqual([result("a", 1)]);
    expect(link.sent()).toEqual([call("b", "new")]);
    expect(real.kept).toEqual([]);
    expect(real.tape.player.report().forwarded).toMatchObject([
      { appended: false },
      { outcome: "unanswered" },
    ]);
  });
});

describe("what the server says meanwhile", () => {
  test("its requests get ids that no recorded one has, and answers find their way back", async () => {
    const ask = request(0, "sampling/createMessage", { q: "recorded" });
    const asking = [
      client(call(5, "asks")),
      server(ask),
      client(result(0, "yes")),
      server(result(5, "thanks")),
    ];
    const { real, live } = opened([...RECORDED, ...asking]);
    const [recordedAsk] = await asks(live, call(1, "asks"));
    await asks(live, call(2, "new"));
    const { link } = real;
    link.says({ ...OPENED, id: 7 });
    link.sent();
    link.says('{"jsonrpc":"2.0","id":"0","method":"sampling/createMessage","params":{"q":"live"}}');
    link.says(request(0, "ping"));
    const [liveAsk, ping] = textsOf(live.actions()).map((text) => JSON.parse(text));
    const ids = [recordedAsk, liveAsk, ping].map((each) => (each as { id: unknown }).id);
    expect(new Set(ids).size).toBe(3);
    live.say(result(ids[2] as number, {}));
    live.say(result(ids[1] as number, "no"));
    expect(link.texts()).toEqual([
      '{"jsonrpc":"2.0","id":0,"result":{}}',
      '{"jsonrpc":"2.0","id":"0","result":"no"}',
    ]);
    expect(live.say(result(ids[0] as number, "yes"))).toEqual([result(1, "thanks")]);
    link.says(result(2, "done"));
    // Ids are the server's own in the cassette.
    expect(real.keptLines.slice(1, 5).map((line) => line.replace(/"params".*/, ""))).toEqual([
      '2 server {"jsonrpc":"2.0","id":"0","method":"sampling/createMessage",',
      '2 server {"jsonrpc":"2.0","id":0,"method":"ping"}',
      '2 client {"jsonrpc":"2.0","id":0,"result":{}}',
      '2 client {"jsonrpc":"2.0","id":"0","result":"no"}',
    ]);
  });

  test("a request it takes back has the id that the client knows", async () => {
    const { live, link } = await forwarding(call("a", "new"), RECORDED);
    link.says(request("s1", "elicitation/create"));
    const [ask] = textsOf(live.actions()).map((text) => JSON.parse(text));
    link.says(notice("notifications/cancelled", { requestId: "s1" }));
    expect(textsOf(live.actions())).toEqual([
      JSON.stringify(notice("notifications/cancelled", { requestId: ask.id })),
    ]);
    // An answer that crosses it is nobody's.
    live.say(result(ask.id, {}));
    expect(link.sent()).toEqual([]);
  });

  test("progress, log lines and the stream they came on reach the request they are about", async () => {
    const { real, live, link } = await forwarding(
      call("a", "one", { _meta: { progressToken: "t" } }),
      RECORDED,
    );
    await asks(live, call("b", "two"));
    const progress = notice("notifications/progress", { progressToken: "t", progress: 1 });
    link.says(progress);
    link.says(notice("notifications/message", { data: "of whom was heard last" }));
    link.says(notice("notifications/message", { data: "of b" }), { on: { id: '"b"' } });
    link.says(notice("notifications/tools/list_changed"), { on: "get" });
    expect(live.actions()).toMatchObject([
      { type: "send", on: '"a"', stream: "own" },
      { type: "send", on: '"a"', stream: "own" },
      { type: "send", on: '"b"', stream: "own" },
      { type: "send", on: undefined, stream: "standalone" },
    ]);
    link.says(result("a", 1));
    link.says(result("b", 2));
    // Each exchange in one piece, whatever crossed.
    const telling = /"id":"(\w)"|"data":"([\w ]+)"|"method":"notifications\/([\w/]+)"/g;
    expect(real.keptLines.map((line) => [...line.matchAll(telling)].at(-1)?.slice(1).find(Boolean))).toEqual([
      "a",
      "progress",
      "of whom was heard last",
      "a",
      "b",
      "of b",
      "tools/list_changed",
      "b",
    ]);
  });

  test("with nothing in flight it goes on the standalone stream, and is kept after the last exchange", async () => {
    const { real, live, link } = await forwarding(call("a", "new"), RECORDED);
    link.says(result("a", 1));
    live.actions();
    link.says(notice("notifications/resources/updated", { uri: "x://1" }));
    expect(live.actions()).toMatchObject([{ type: "send", stream: "standalone", on: undefined }]);
    expect(real.kept).toHaveLength(3);
  });

  test("during the opening is passed on, and not kept", async () => {
    const { real, live } = opened(RECORDED);
    await asks(live, call("a", "new"));
    real.link.says(notice("notifications/message", { data: "hello" }));
    expect(live.actions()).toHaveLength(1);
    real.link.says({ ...OPENED, id: 7 });
    real.link.says(result("a", 1));
    expect(real.kept).toHaveLength(2);
  });

  test("a second answer is nobody's, and so is one under a wrong id: that is told, once each", async () => {
    const { real, live, link } = await forwarding(call("a", "new"), RECORDED);
    link.says(result("a", 1));
    link.says(result("a", 2));
    link.says(result("a", 3));
    link.says(result(999, 4));
    expect(live.actions()).toHaveLength(1);
    expect(real.kept).toHaveLength(2);
    expect(real.notices.slice(1)).toEqual([
      'the real server (node real.js) answered "a", which no request waits for: passed over',
      "the real server (node real.js) answered 999, which no request waits for: passed over",
    ]);
  });
});

describe("a question asked while several requests are under way", () => {
  const question = request("q", "elicitation/create", { message: "?" });
  const ids = (real: FakeServer) =>
    real.keptLines.map((line) => /"id":"(\w)"|cancelled/.exec(line)?.[1] ?? "-");

  /** Two requests are with the server, which asks; returns the client's reply to be said. */
  async function asking() {
    const { real, live, link } = await forwarding(call("a", "nested"), RECORDED);
    await asks(live, call("b", "innocent"));
    link.says(question);
    const [asked] = textsOf(live.actions()).map((text) => JSON.parse(text));
    return { real, live, link, reply: () => live.say(result(asked.id, "yes")) };
  }

  test("is kept with the request that is answered upon the reply", async () => {
    const { real, link, reply } = await asking();
    reply();
    link.says(result("a", 1));
    expect(ids(real)).toEqual(["a", "q", "q", "a"]);
    link.says(result("b", 2));
    expect(ids(real).slice(4)).toEqual(["b", "b"]);
  });

  test("is not of the one that is answered before the reply, in the cassette as for who waits", async () => {
    const { real, link, reply } = await asking();
    link.says(result("b", 2));
    expect(ids(real)).toEqual(["b", "b"]);
    await real.tape.player.settled();
    reply();
    link.says(result("a", 1));
    expect(ids(real).slice(2)).toEqual(["a", "q", "q", "a"]);
  });

  test("is kept with a request that was cancelled, as soon as that shows", async () => {
    const { real, live, link } = await asking();
    live.say(notice("notifications/cancelled", { requestId: "a" }));
    expect(ids(real)).toEqual([]);
    link.says(result("b", 2));
    expect(ids(real).sort()).toEqual(["-", "a", "b", "b", "q"]);
    expect(real.keptLines.findIndex((line) => line.includes('"q"'))).toBe(1);
    expect(real.tape.player.report().forwarded).toMatchObject([
      { outcome: "cancelled", appended: true },
      { outcome: "answered", appended: true },
    ]);
  });

  test("is kept with nobody, like the cancelled request, where nothing tells any more", async () => {
    const { real, live, link } = await asking();
    live.say(notice("notifications/cancelled", { requestId: "a" }));
    link.ends();
    expect(ids(real)).toEqual([]);
    expect(real.tape.player.report().forwarded).toMatchObject([
      { outcome: "cancelled", appended: false },
      { outcome: "failed", appended: false },
    ]);
  });
});

describe("the client's notifications", () => {
  test("reach the server when it is there and the recording does not know them", async () => {
    const changed = notice("notifications/roots/list_changed");
    const recorded = notice("notifications/progress", { progressToken: 9, progress: 1 });
    const { real, live } = opened([...RECORDED, client(recorded)]);
    live.say(changed);
    await asks(live, call("a", "new"));
    real.link.says({ ...OPENED, id: 7 });
    real.link.sent();
    live.say(changed);
    live.say(recorded);
    live.say(INITIALIZED);
    expect(real.link.sent()).toEqual([changed]);
  });
});

describe("a cancellation", () => {
  const cancelled = notice("notifications/cancelled", { requestId: "a", reason: "enough" });

  test("travels, and is what the cassette tells from then on", async () => {
    const { real, live, link } = await forwarding(call("a", "slow"), RECORDED);
    live.say(cancelled);
    expect(link.sent()).toEqual([cancelled]);
    expect(real.tape.player.report().forwarded).toMatchObject([{ outcome: "cancelled", appended: true }]);
    const again = tape([...RECORDED, ...real.kept], { strict: true });
    const live2 = again.connect();
    expect(live2.say(call("a", "slow"))).toEqual([]);
    live2.say(cancelled);
    expect(again.player.failed).toBe(false);
  });

  test("that crosses the answer: the client gets it, and the cassette tells so", async () => {
    const { real, live, link } = await forwarding(call("a", "slow"), RECORDED);
    live.say(cancelled);
    link.says(result("a", "late"));
    expect(textsOf(live.actions())).toEqual([JSON.stringify(result("a", "late"))]);
    expect(real.keptLines.at(-1)).toBe(`2 server ${JSON.stringify(result("a", "late"))}`);
  });

  test("of what is not with the server yet never gets there", async () => {
    const { real, live } = opened(RECORDED);
    await asks(live, call("a", "slow"));
    live.say(cancelled);
    real.link.says({ ...OPENED, id: 7 });
    expect(real.link.sent()).toEqual([{ ...INITIALIZE, id: 7 }, INITIALIZED]);
    expect(real.kept).toEqual([]);
    expect(real.tape.player.report().forwarded).toMatchObject([{ outcome: "cancelled", appended: false }]);
  });

  test("of a request nobody made is a notification like any other", async () => {
    const { live, link } = await forwarding(call("a", "slow"), RECORDED);
    const other = notice("notifications/cancelled", { requestId: "zzz" });
    live.say(other);
    expect(link.sent()).toEqual([other]);
  });

  describe("in the modern era", () => {
    const meta = { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } };
    const entries = [client(call(1, "known", meta)), server(result(1, "as recorded"))];

    test("by a dropped stream is one where the server is behind HTTP", async () => {
      const real = new FakeServer(entries, { drops: true });
      const live = real.tape.connect();
      await asks(live, call("a", "slow", meta));
      live.session.drop('"a"');
      expect(real.link.dropped).toEqual(['"a"']);
      expect(real.keptLines.at(-1)).toBe('2 client {"reason":"aborted"}');
      expect(real.kept.at(-1)?.on).toEqual({ id: '"a"' });
    });

    test("by a dropped stream is a notification where it is behind stdio", async () => {
      const real = new FakeServer(entries);
      const live = real.tape.connect();
      await asks(live, call("a", "slow", meta));
      real.link.sent();
      live.session.drop('"a"');
      expect(real.link.sent()).toEqual([notice("notifications/cancelled", { requestId: "a" })]);
    });
  });
});

describe("a server that fails", () => {
  test("the client gets an error that names it, nothing is kept, and the next request tries anew", async () => {
    const { real, live, link } = await forwarding(call("a", "new"), RECORDED);
    link.says(notice("notifications/message", { data: "so far" }));
    live.actions();
    link.ends();
    const [answer] = textsOf(live.actions()).map((text) => JSON.parse(text));
    expect(answer).toEqual({
      jsonrpc: "2.0",
      id: "a",
      error: {
        code: -32011,
        message:
          "mcp-vcr: tools/call new was not answered: the real server (node real.js) ended with exit code 3",
        data: { label: "tools/call new", server: "node real.js", reason: "ended with exit code 3" },
      },
    });
    expect(real.kept).toEqual([]);
    expect(real.tape.player.report().forwarded).toMatchObject([
      { outcome: "failed", appended: false, reason: "ended with exit code 3" },
    ]);
    await asks(live, call("b", "new"));
    expect(real.links).toHaveLength(2);
    expect(real.link.sent()).toEqual([{ ...INITIALIZE, id: 7 }]);
  });

  test("that refuses to be initialized fails what waited for that", async () => {
    const { real, live } = opened(RECORDED);
    await asks(live, call("a", "new"));
    live.say(call("b", "newer"));
    await aMoment();
    real.link.says({ jsonrpc: "2.0", id: 7, error: { code: -32602, message: "Unsupported" } });
    expect(textsOf(live.actions()).map((text) => JSON.parse(text).error.data.reason)).toEqual([
      'refused to be initialized: "Unsupported"',
      'refused to be initialized: "Unsupported"',
    ]);
  });

  test("that refuses one request fails that one", async () => {
    const { live, link } = await forwarding(call("a", "new"), RECORDED);
    await asks(live, call("b", "other"));
    link.refuses('"a"', "refused it with HTTP 503");
    link.says(result("b", 1));
    expect(textsOf(live.actions()).map((text) => JSON.parse(text))).toMatchObject([
      { id: "a", error: { code: -32011 } },
      result("b", 1),
    ]);
  });

  test("that ends with nothing in flight is mentioned", async () => {
    const { real, live, link } = await forwarding(call("a", "new"), RECORDED);
    link.says(result("a", 1));
    live.actions();
    link.ends();
    expect(real.notices.at(-1)).toBe("the real server (node real.js) ended with exit code 3");
    expect(live.actions()).toEqual([]);
  });
});

describe("in the modern era over HTTP, where each request is a connection by itself", () => {
  const meta = { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } };
  const modern = (id: number, name: string) => call(id, name, meta);

  function arriving() {
    const real = new FakeServer([client(modern(1, "known")), server(result(1, "as recorded"))]);
    const { player } = real.tape;
    const visitors = [player.welcome()] as const;
    return { real, connect: () => new LiveClient(player, { visitors }) };
  }

  test("a client has one connection to the server, and each answer goes where it was asked", async () => {
    const { real, connect } = arriving();
    const [one, two] = [connect(), connect()];
    await asks(one, modern(1, "new"));
    await asks(two, modern(2, "newer"));
    expect(real.links).toHaveLength(1);
    expect([one, two].map(({ session }) => session.isPausing("1"))).toEqual([true, false]);
    real.link.says(result(2, "second"));
    expect([one.actions().length, two.actions().length]).toEqual([0, 1]);
    real.link.says(result(1, "first"));
    expect([one.actions().length, two.actions().length]).toEqual([1, 0]);
    expect(new Set(real.kept.map(({ session }) => session)).size).toBe(1);
  });

  test("two who may be the same and use one id at once have a connection each", async () => {
    const { real, connect } = arriving();
    const [one, two] = [connect(), connect()];
    await asks(one, modern(1, "new"));
    await asks(two, modern(1, "newer"));
    expect(real.links).toHaveLength(2);
    real.links[1]?.says(result(1, "of two"));
    expect([one.actions().length, two.actions().length]).toEqual([0, 1]);
    one.session.drop("1");
    // Until the server has answered what was given up, its id is not free.
    await asks(connect(), modern(1, "again"));
    expect(real.links).toHaveLength(2);
    expect(real.links[1]?.sent()).toHaveLength(2);
  });
});

describe("all is settled", () => {
  test("when nothing is in flight but what waits for the client", async () => {
    const { real, live, link } = await forwarding(call("a", "new"), RECORDED);
    const { player } = real.tape;
    let settled = 0;
    const wait = () => void player.settled().then(() => settled++);
    wait();
    await aMoment();
    expect(settled).toBe(0);
    link.says(request(1, "roots/list"));
    await aMoment();
    expect(settled).toBe(1);
    const [ask] = textsOf(live.actions()).map((text) => JSON.parse(text));
    live.say(result(ask.id, {}));
    wait();
    await aMoment();
    expect(settled).toBe(1);
    link.says(result("a", 1));
    await aMoment();
    expect(settled).toBe(2);
  });
});
