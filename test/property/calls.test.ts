import fc from "fast-check";
import { expect, test } from "vitest";
import { readsCalls } from "../../src/cassette/call-codec.ts";
import { jsonlCodec } from "../../src/cassette/jsonl/codec.ts";
import { yamlCodec } from "../../src/cassette/yaml/codec.ts";
import type { Entry } from "../../src/exchange/entry.ts";
import { answerOf, type Step } from "../../src/exchange/exchange.ts";
import { readMessage, textOf } from "../../src/protocol/message.ts";
import { CassetteBytes } from "../../src/replay/cassette-bytes.ts";
import { questionOf } from "../../src/replay/key.ts";
import { answerWithId } from "../../src/replay/live-id.ts";
import { hashOfKey, plainKey, plainKeyHash } from "../../src/replay/plain-key.ts";
import { Recording } from "../../src/replay/recording.ts";
import { singleLine } from "../../src/wire/single-line.ts";
import { entriesOf } from "../cases/entries-of.ts";
import { bytesOf, client, STDIO, server } from "../cases/tape.ts";

/** Recordings of many calls leave most of them undecoded; nobody must be able to tell. */

const check = <T>(property: fc.IProperty<T>, numRuns = 500): void =>
  fc.assert(property, { seed: Number(process.env.FC_SEED ?? 1), numRuns });

const anyKey = fc.oneof(
  fc.constantFrom(
    "a",
    "b",
    "aa",
    "arguments",
    "name",
    "_meta",
    "inputResponses",
    "z",
    "10",
    "9",
    "é",
    "\uff5e",
    "😀",
    "",
    "\t",
    "A b",
  ),
  fc.string({ maxLength: 3 }),
);
const anyLeaf = fc.oneof(
  fc.constantFrom(
    "0",
    "-0",
    "1",
    "-1",
    "1.0",
    "1.5",
    "0.1",
    "1e5",
    "1E5",
    "1e21",
    "100000000000000000000",
    "9007199254740993",
    "12345678901234567",
    "-0.0000001",
  ),
  fc.constantFrom(
    "true",
    "false",
    "null",
    "{}",
    "[]",
    '""',
    '"\\u0061"',
    '"\\n"',
    '"é"',
    '"\u2028"',
    '"\u007f"',
  ),
  fc.string({ unit: "grapheme", maxLength: 4 }).map((text) => JSON.stringify(text)),
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => JSON.stringify(n)),
);
const { value: anyValue } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    anyLeaf,
    fc.array(tie("value"), { maxLength: 3 }).map((all) => `[${all.join(",")}]`),
    fc
      .tuple(fc.array(fc.tuple(anyKey, tie("value")), { maxLength: 4 }), fc.boolean())
      .map(([members, isSorted]) =>
        objectOf(isSorted ? members.sort(([a], [b]) => (a < b ? -1 : 1)) : members),
      ),
  ),
}));
const objectOf = (members: readonly (readonly [string, string])[]): string =>
  `{${members.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(",")}}`;
const anyParams = fc.oneof(
  anyValue,
  fc.tuple(anyValue, anyValue).map(([name, args]) => `{"name":${name},"arguments":${args}}`),
  fc.tuple(fc.array(fc.tuple(anyKey, anyValue), { maxLength: 9 })).map(([members]) => objectOf(members)),
);
const anyMethod = fc.constantFrom(
  "tools/call",
  "prompts/get",
  "resources/read",
  "completion/complete",
  "tools/list",
);

test("a key that is had without parsing is the one that parsing gives", () => {
  let plain = 0;
  check(
    fc.property(anyMethod, anyParams, (method, params) => {
      const span = { start: 0, end: bytesOf(params).length };
      const key = plainKey(bytesOf(params), method, span);
      const hash = plainKeyHash(bytesOf(params), method, span);
      expect(hash).toBe(key === undefined ? undefined : hashOfKey(key));
      if (key === undefined) return;
      plain += 1;
      // White space makes it no plain spelling any more.
      const spaced = readMessage(
        bytesOf(`{"id":1,"method":"${method}","params":${params.replace("{", "{ ")}}`),
      );
      expect(plainKey(spaced.bytes, method, spaced.scan.members.params ?? span)).toBeUndefined();
      const { label: _label, ...slow } = questionOf(spaced);
      expect(slow).toEqual({
        key,
        inputs: undefined,
        without: undefined,
        client: undefined,
        withToken: false,
        era: "legacy",
      });
    }),
    3000,
  );
  // What is never seen proves nothing.
  expect(plain).toBeGreaterThan(300);
});

const anyId = fc.constantFrom("1", "2", "3", "17", '"1"', "0", "1.0", "01", "9007199254740993");
const anySession = fc.constantFrom(1, 1, 1, 1, 2, 2, 2 ** 32 + 1);
const call = (id: string, name: string, session: number): Entry =>
  client(
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}","arguments":{"n":1}}}`,
    {
      session,
    },
  );
const answer = (id: string, session: number, member = '"result":{}'): Entry =>
  server(`{${member},"jsonrpc":"2.0","id":${id}}`, { session });
const aCall = fc
  .tuple(fc.constantFrom("1", "2", "17"), fc.constantFrom("a", "b", "c"), fc.boolean(), anySession)
  .map(([id, name, fails, session]): Entry[] => [
    call(id, name, session),
    answer(id, session, fails ? '"error":{"code":1,"message":"no"}' : undefined),
  ]);
const anyMember = fc.constantFrom(
  '"result":{}',
  '"method":"ping","result":{}',
  '"id":2,"result":{}',
  '"\\u0069d":7,"result":{}',
  '"extra":1,"result":{}',
  '"none":1',
);
const noCall = fc
  .tuple(anyId, anySession, anyId, anySession, anyMember)
  .map(([id, session, other, elsewhere, member]) => [
    call(id, "a", session),
    answer(other, elsewhere, member),
  ]);
/** As somebody may write it by hand: a recorder spells such messages another way. */
const asMessage = ({ body, ...entry }: Entry): Entry => ({
  ...entry,
  body: { form: "message", bytes: body?.bytes ?? bytesOf("") },
});
const oddlyNamed = fc
  .constantFrom('"id":2,', '"\\u0069d":2,', '"params":{"name":"b","arguments":{"n":1}},', '"method":"ping",')
  .map((odd) => [
    asMessage(
      client(
        `{"id":1,"method":"tools/call","params":{"name":"a","arguments":{"n":1}},${odd}"jsonrpc":"2.0"}`,
      ),
    ),
    answer("1", 1),
  ]);
const initialized = client('{"jsonrpc":"2.0","method":"notifications/initialized"}');
const cancel = (id: string) =>
  client(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`);
const ask = (id: string) => server(`{"jsonrpc":"2.0","id":${id},"method":"elicitation/create","params":{}}`);
const reply = (id: string) => client(`{"jsonrpc":"2.0","id":${id},"result":{"action":"accept"}}`);
/** What happened before a call shows in what comes after it. */
const aStory = fc.constantFrom(
  [initialized, call("1", "a", 1), answer("1", 1), ask("5"), reply("5")],
  [call("1", "a", 1), cancel("1"), call("1", "b", 1), answer("1", 1), answer("1", 1)],
  [call("1", "a", 1), cancel("1"), call("2", "b", 1), answer("2", 1), answer("1", 1)],
  // Asked by one of two; a call between a reply and the next question shows that another one asks.
  [call("1", "a", 1), call("2", "b", 1), ask("5"), reply("5"), answer("1", 1), answer("2", 1), ask("6")],
);
const anyRequest = fc
  .tuple(
    anyId,
    fc.constantFrom("tools/call", "subscriptions/listen", "resources/subscribe", "initialize"),
    fc.constantFrom(
      '{"name":"a","arguments":{"n":1}}',
      '{"arguments":{"n": 1},"name":"a"}',
      '{"uri":"u"}',
      '{"name":"a","arguments":{"n":1},"_meta":{"progressToken":1}}',
    ),
  )
  .map(([id, method, params]) =>
    client(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`),
  );
const anyOther = fc.oneof(
  anyRequest,
  anyId.map((id) => answer(id, 1)),
  anyId.map(ask),
  anyId.map(reply),
  anyId.map(cancel),
  anyId.map((id) =>
    server(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${id}}}`),
  ),
  fc.constantFrom(
    initialized,
    server('{"jsonrpc":"2.0","method":"notifications/message","params":{}}'),
    server('{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"u"}}'),
    server('{"jsonrpc":"2.0","error":{"code":1,"message":"no"}}'),
    server("noise"),
    client('[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"n":1}}}]'),
    { at: 0, from: "client", session: 1, closed: { reason: "eof" } } satisfies Entry,
    { at: 0, from: "server", session: 1, closed: { exit: 1 } } satisfies Entry,
  ),
);
const anyTape = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: aCall },
      { weight: 1, arbitrary: fc.oneof(aStory, noCall, oddlyNamed) },
      { weight: 2, arbitrary: anyOther.map((entry) => [entry]) },
    ),
    { maxLength: 14 },
  )
  .map((all) => all.flat());

const cassetteOf = (entries: readonly Entry[]): Uint8Array => {
  let text = "";
  const sink = {
    text: (some: string) => {
      text += some;
    },
    bytes: (some: Uint8Array) => {
      text += new TextDecoder("utf-8", { ignoreBOM: true }).decode(some);
    },
  };
  jsonlCodec.header(STDIO, sink);
  const encoder = jsonlCodec.encoder();
  for (const entry of entries) encoder.encode(entry, sink);
  return bytesOf(text);
};

/** All that a recording tells. */
function toldBy(recording: Recording, notices: readonly string[]) {
  return {
    exchanges: recording.exchanges,
    byKey: new Map([...recording.byKey()].sort(([a], [b]) => (a < b ? -1 : 1))),
    era: recording.era,
    notices: notices.map((notice) => notice.replaceAll(/^[^:]*:/gm, "")),
  };
}

const { callDecoder: _calls, decodeMessage: _messages, ...withoutCalls } = jsonlCodec;

function readFrom(entries: readonly Entry[], calls: "calls" | "entries") {
  const notices: string[] = [];
  const bytes = cassetteOf(entries);
  const source = new CassetteBytes({ file: "a.jsonl", bytes, codec: jsonlCodec, onTruncated: () => {} });
  const plain = new CassetteBytes({
    file: "a.jsonl",
    bytes,
    codec: withoutCalls,
    onTruncated: () => {},
  });
  const recording = new Recording(calls === "calls" ? source : plain, (notice) => notices.push(notice));
  return { recording, notices };
}

test("a recording of which calls are left undecoded tells the same as one that is decoded", () => {
  check(
    fc.property(anyTape, (entries) => {
      const [some, all] = [readFrom(entries, "calls"), readFrom(entries, "entries")];
      expect(toldBy(some.recording, some.notices)).toEqual(toldBy(all.recording, all.notices));
    }),
    2000,
  );
});

test("and finds the same under each key, whichever is asked first", () => {
  check(
    fc.property(anyTape, fc.array(fc.nat()), (entries, order) => {
      const [some, all] = [readFrom(entries, "calls").recording, readFrom(entries, "entries").recording];
      const keys = [...all.byKey()].map(([key]) => key);
      for (const index of [...order, ...keys.keys()]) {
        const key = keys[index % Math.max(1, keys.length)] ?? "none";
        expect(some.answersTo(key)?.all).toEqual(all.answersTo(key)?.all);
      }
      expect([...some.byKey()].length).toBe(keys.length);
      expect(some.exchanges).toEqual(all.exchanges);
    }),
    1000,
  );
});

test("however it is asked for, a question has one set of recordings", () => {
  const anySpelling = fc.constantFrom(
    (name: string) => `{"name":"${name}","arguments":{"n":1}}`,
    (name: string) => `{"arguments":{"n":1},"name":"${name}"}`,
    (name: string) => `{ "name":"${name}","arguments":{"n":1}}`,
  );
  const anyQuestion = fc.tuple(fc.constantFrom("a", "b", "c", "none"), anySpelling, fc.boolean());
  const anyOtherSpelling = fc
    .tuple(fc.constantFrom("a", "b", "c"), anySpelling)
    .map(([name, spelt]) => [
      client(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":${spelt(name)}}`),
      answer("7", 1),
    ]);
  const tape = fc.array(
    fc.oneof(
      aCall,
      anyOtherSpelling,
      anyRequest.map((one) => [one]),
    ),
    { maxLength: 8 },
  );
  check(
    fc.property(
      tape.map((all) => all.flat()),
      fc.array(anyQuestion, { minLength: 1, maxLength: 8 }),
      (entries, questions) => {
        const [some, all] = [readFrom(entries, "calls").recording, readFrom(entries, "entries").recording];
        for (const [name, spelt, byKey] of questions) {
          const text = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${spelt(name)}}`;
          const question = questionOf(readMessage(bytesOf(text)));
          const found = byKey ? some.answersTo(question.key) : some.answersToProper(question);
          expect(found?.all).toEqual(all.answersTo(question.key)?.all);
          expect(some.answersToProper(question)?.number).toBe(found?.number);
          expect(some.answersTo(question.key)?.number).toBe(found?.number);
        }
      },
    ),
    1000,
  );
});

test("a message that is read along with its entry is the one that is read alone", () => {
  let read = 0;
  check(
    fc.property(anyTape, (entries) => {
      const source = new CassetteBytes({
        file: "a.jsonl",
        bytes: cassetteOf(entries),
        codec: jsonlCodec,
        onTruncated: () => {},
      });
      for (const [ordinal, entry] of entriesOf(source).entries()) {
        const found = source.messageAt(ordinal);
        if (!found) continue;
        read += 1;
        expect(found.entry).toEqual(entry);
        const { scan, ...alone } = readMessage((entry.body ?? { bytes: bytesOf("") }).bytes);
        const { scan: along, ...told } = found.message;
        expect(told).toEqual(alone);
        for (const fact of ["valid", "root", "members", "items", "harmed"] as const)
          expect(along[fact]).toEqual(scan[fact]);
      }
    }),
    500,
  );
  expect(read).toBeGreaterThan(1000);
});

test("an answer that is at hand is the recorded message with the live id, on one line", () => {
  const spaces = fc.constantFrom("", " ", "\r", `"${"x".repeat(1200)}"`, `"${"x".repeat(1200)}",\r"y"`);
  const anyAnswer = fc.tuple(fc.constantFrom("1", "17", "123456789"), spaces, fc.boolean());
  const spelt = anyAnswer.map(([id, space, isFirst]) => {
    const result = `"result":{"all":[${space}]}`;
    const text = isFirst
      ? `{"id":${id},${space.trim() && '"jsonrpc":"2.0",'}${result}}`
      : `{${result},"id": ${id}}`;
    return [call(id, "a", 1), asMessage(server(text))];
  });
  const tape = fc.array(fc.oneof(aCall, spelt, aStory), { maxLength: 6 }).map((all) => all.flat());
  let atHand = 0;
  check(
    fc.property(tape, fc.constantFrom("1", '"a"', '"\\u00e9"', "0", "12345678901"), (entries, id) => {
      const { recording } = readFrom(entries, "calls");
      const request = readMessage(bytesOf(`{"jsonrpc":"2.0","method":"tools/call","id":${id},"params":{}}`));
      const roomFor = (length: number) => new Uint8Array(length);
      for (const recorded of recording.exchanges) {
        const answer = recorded.answerTo?.(request, roomFor);
        if (!answer) continue;
        atHand += 1;
        const { message } = recording.at(answerOf(recorded.exchange) as Step);
        const slow = answerWithId({ message, exchange: recorded.exchange }, bytesOf(id), roomFor);
        expect(textOf(answer)).toBe(textOf(slow));
        expect(singleLine(answer)).toBe(answer);
      }
    }),
    1000,
  );
  expect(atHand).toBeGreaterThan(1000);
});

test("questions whose hashes are equal are told apart", () => {
  const names = ["phytyq", "esz6l9"];
  const hashes = names.map((name) => {
    const params = bytesOf(`{"name":"${name}","arguments":{"n":1}}`);
    return plainKeyHash(params, "tools/call", { start: 0, end: params.length });
  });
  expect(hashes[0]).toBe(hashes[1]);
  const tape = names.flatMap((name, nth) => [call(`${nth}`, name, 1), answer(`${nth}`, 1)]);
  const { recording } = readFrom(tape, "calls");
  for (const [nth, name] of names.entries()) {
    const key = `tools/call {"arguments":{"n":1},"name":"${name}"}`;
    const asked = readMessage((call("9", name, 1).body ?? { bytes: bytesOf("") }).bytes);
    expect(recording.answersToProper(questionOf(asked))?.all.map(({ exchange }) => exchange.entry)).toEqual([
      2 * nth,
    ]);
    expect(recording.answersTo(key)?.all.map(({ exchange }) => exchange.entry)).toEqual([2 * nth]);
  }
});

function* readWhole(source: CassetteBytes) {
  for (let read = source.next(1000); read.length > 0; read = source.next(1000)) yield* read;
}

test.each(["\n", "\r\n"])("calls are left undecoded, however lines end: %j", (ending) => {
  const lines = textOf(cassetteOf(fc.sample(aCall, { numRuns: 50, seed: 1 }).flat()));
  const bytes = bytesOf(lines.replaceAll("\n", ending));
  const source = new CassetteBytes({ file: "a.jsonl", bytes, codec: jsonlCodec, onTruncated: () => {} });
  const found = [...readWhole(source)];
  expect(found.filter((each) => "hash" in each).length).toBeGreaterThan(30);
  expect([jsonlCodec, yamlCodec].map(readsCalls)).toEqual([true, false]);
});
