import { describe, expect, test } from "vitest";
import { yamlCodec } from "../../../src/cassette/yaml/codec.ts";
import type { Entry } from "../../../src/exchange/entry.ts";
import type { Outline } from "../../../src/rerecord/outline.ts";
import { outlineOf } from "../../../src/rerecord/outlining.ts";
import { hasSameExchanges, keepsOrderOfSessions } from "../../../src/rerecord/same-exchanges.ts";
import { entriesIn, rerecorded } from "../../cases/rerecord.ts";
import { client, exchangesOf, notice, request, result, STDIO, server, tape } from "../../cases/tape.ts";

/** When the old order may be kept, and when not. */

const outlined = (entries: readonly Entry[]): Outline =>
  outlineOf({ count: entries.length, entryAt: (ordinal) => entries[ordinal] as Entry }, true);

function isSame(entries: readonly Entry[], ordinals: readonly number[]): boolean {
  const moved = ordinals.map((ordinal) => entries[ordinal] as Entry);
  return hasSameExchanges(outlined(entries), ordinals, exchangesOf(moved));
}

const ask = (id: number, name: string) =>
  client(request(id, "tools/call", { name, _meta: { progressToken: id } }));
const answer = (id: number, text: string) => server(result(id, { content: [{ type: "text", text }] }));
const progress = (token: number, n: number) =>
  server(notice("notifications/progress", { progressToken: token, progress: n }));

describe("entries in another order", () => {
  const TWO = [ask(1, "a"), progress(1, 1), progress(1, 2), answer(1, "x"), ask(2, "b"), answer(2, "y")];

  test.each([
    { name: "as they are", ordinals: [0, 1, 2, 3, 4, 5], same: true },
    { name: "one exchange before the other", ordinals: [4, 5, 0, 1, 2, 3], same: true },
    { name: "one within the other", ordinals: [0, 4, 1, 2, 5, 3], same: true },
    { name: "progress the other way round", ordinals: [0, 2, 1, 3, 4, 5], same: false },
    { name: "progress after the answer", ordinals: [0, 1, 3, 2, 4, 5], same: false },
    { name: "an answer before its question", ordinals: [3, 0, 1, 2, 4, 5], same: false },
  ])("$name", ({ ordinals, same }) => {
    expect(isSame(TWO, ordinals)).toBe(same);
  });

  test("equal questions follow one another as they did", () => {
    const equal = [ask(1, "a"), answer(1, "x"), ask(2, "a"), answer(2, "y")];
    expect(isSame(equal, [0, 1, 2, 3])).toBe(true);
    expect(isSame(equal, [2, 3, 0, 1])).toBe(false);
  });

  test("a question of the server's does not pass to another request", () => {
    const asks = [
      ask(1, "a"),
      server(request("q", "elicitation/create", { message: "?" })),
      client(result("q", { action: "accept" })),
      answer(1, "x"),
      ask(2, "b"),
      answer(2, "y"),
    ];
    expect(isSame(asks, [4, 5, 0, 1, 2, 3])).toBe(true);
    expect(isSame(asks, [0, 3, 4, 1, 2, 5])).toBe(false);
  });
});

describe("connections one after the other", () => {
  const of = (session: number, text: string) =>
    [ask(1, "a"), answer(1, text)].map((entry) => ({ ...entry, session }));
  const firstHears = (entries: readonly Entry[]) =>
    tape(entries)
      .connect()
      .say(request(1, "tools/call", { name: "a" }))[0].result.content[0].text;

  test("that are answered otherwise keep their order", () => {
    const swapped = outlined([...of(1, "x"), ...of(2, "y")]);
    expect(keepsOrderOfSessions(swapped, (session) => session)).toBe(true);
    expect(keepsOrderOfSessions(swapped, (session) => 3 - session)).toBe(false);
    const alike = outlined([...of(1, "x"), ...of(2, "x")]);
    expect(keepsOrderOfSessions(alike, (session) => 3 - session)).toBe(true);
  });

  test("so a client is answered from the first of the new recording", () => {
    const fresh = [...of(1, "y"), ...of(2, "x")];
    const { text, arrangement } = rerecorded(yamlCodec, [...of(1, "x"), ...of(2, "y")], fresh, STDIO);
    expect(arrangement?.numbers).toBe("new");
    expect(firstHears(fresh)).toBe("y");
    expect(firstHears(entriesIn(yamlCodec, text))).toBe("y");
  });
});
