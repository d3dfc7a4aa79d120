import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonlCodec } from "../../src/cassette/jsonl/codec.ts";
import type { Entry } from "../../src/exchange/entry.ts";
import { CassetteText } from "../../src/rerecord/cassette-text.ts";
import type { Outline } from "../../src/rerecord/outline.ts";
import {
  bytesOf,
  client,
  type Extra,
  error,
  HTTP,
  notice,
  request,
  result,
  STDIO,
  server,
} from "../cases/tape.ts";
import { fileOf } from "../unit/cassette/support.ts";

/** So few of each that the same words come again, and mean something else. */
const id = fc.constantFrom(1, 2, "1");
const extra = fc.record({ session: fc.constantFrom(1, 2) });
const params = fc.constantFrom(
  {},
  { name: "t", uri: "a:b", cursor: "c", requestId: 1, taskId: "k" },
  { name: "t", _meta: { progressToken: 1 } },
);
const method = fc.constantFrom("tools/call", "tools/list", "tasks/get", "resources/subscribe", "roots/list");
const told = fc.constantFrom("notifications/progress", "notifications/cancelled", "notifications/message");
const value = fc.constantFrom(
  {},
  { content: [] },
  { ttlMs: 5, nextCursor: "c" },
  { taskId: "k" },
  { isError: true },
);

const said = fc.oneof(
  fc.tuple(id, method, params).map((all) => request(...all)),
  fc.tuple(id, method, params).map((all) => request(...all)),
  fc.tuple(told, params).map((all) => notice(...all)),
  fc.tuple(id, value).map((all) => result(...all)),
  fc.tuple(id, value).map((all) => result(...all)),
  id.map((each) => error(each, -1)),
  fc.constantFrom("no message", null, { id: 1, result: {} }),
  fc.tuple(id, method).map((all) => [request(...all)]),
);
const from = fc.constantFrom(client, server);
const facts = fc.constantFrom<Extra>({ on: "get" }, { http: {} });
const anyEntry = fc.oneof(
  { weight: 9, arbitrary: fc.tuple(from, said, extra).map(([of, ...all]): Entry => of(...all)) },
  { weight: 1, arbitrary: fc.tuple(from, said, facts).map(([of, ...all]): Entry => of(...all)) },
);
const anyEntries = fc.array(anyEntry, { maxLength: 25 });

/** All that an outline tells. */
function toldBy(outline: Outline): unknown {
  const { names, exchanges, sessions, says, shapes, plain, homes, times, odd, signs, pair } = outline;
  const meanings = Array.from(homes, (_, ordinal) => outline.meaningsOf(ordinal));
  const { all, minted } = names;
  return { all, minted, meanings, exchanges, sessions, says, shapes, plain, homes, times, odd, signs, pair };
}

test("what a recording is outlined as does not depend on the one that it is read like", () => {
  fc.assert(
    fc.property(anyEntries, anyEntries, fc.constantFrom(STDIO, HTTP), (before, after, header) => {
      const read = (entries: readonly Entry[], like?: CassetteText) =>
        new CassetteText(bytesOf(fileOf(jsonlCodec, entries, header)), {
          codec: jsonlCodec,
          file: "a cassette",
          like,
        });
      const old = read(before);
      for (const entries of [after, [...after, ...before], before]) {
        expect(toldBy(read(entries, old).outline)).toEqual(toldBy(read(entries).outline));
      }
    }),
    { seed: Number(process.env.FC_SEED ?? 1), numRuns: 400 },
  );
});
