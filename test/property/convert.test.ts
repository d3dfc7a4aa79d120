import fc from "fast-check";
import { expect, test } from "vitest";
import type { Entry } from "../../src/exchange/entry.ts";
import { codecOf, fileOf, readAll, shown } from "../unit/cassette/support.ts";
import { anyEntry } from "./cassette-arbitraries.ts";

const codecs = [codecOf("a.yaml"), codecOf("a.jsonl")] as const;

/** The entries of a cassette that was written in one format, then in the other, then in the first again. */
function thereAndBack(
  [first, second]: typeof codecs,
  entries: readonly Entry[],
): readonly (readonly Entry[])[] {
  const once = readAll(first, fileOf(first, entries)).entries;
  const there = readAll(second, fileOf(second, once)).entries;
  const back = readAll(first, fileOf(first, there)).entries;
  return [once, there, back];
}

test("entries are the same in both formats, there and back", () => {
  const [yaml, jsonl] = codecs;
  fc.assert(
    fc.property(fc.array(anyEntry, { maxLength: 5 }), fc.boolean(), (entries, yamlFirst) => {
      const [once = [], there = [], back = []] = thereAndBack(
        yamlFirst ? [yaml, jsonl] : [jsonl, yaml],
        entries,
      );
      expect(back.map(shown)).toEqual(once.map(compact));
      expect(there.map(shown)).toEqual(once.map(compact));
    }),
    { seed: Number(process.env.FC_SEED ?? 1), numRuns: 150 },
  );
});

/** White space between a message's tokens is no content, and formats that need one line leave it out. */
function compact(entry: Entry): unknown {
  const { body } = entry;
  if (body?.form !== "message") return shown(entry);
  const text = JSON.stringify(JSON.parse(new TextDecoder().decode(body.bytes)));
  return shown({ ...entry, body: { form: "message", bytes: new TextEncoder().encode(text) } });
}
