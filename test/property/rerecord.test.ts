import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { jsonlCodec } from "../../src/cassette/jsonl/codec.ts";
import { yamlCodec } from "../../src/cassette/yaml/codec.ts";
import type { Entry } from "../../src/exchange/entry.ts";
import { entriesIn, rerecorded, textsIn } from "../cases/rerecord.ts";
import { HTTP, httpTape } from "../cases/tape.ts";
import { anyRun, anyStrands, recordingOf, type Strand } from "./rerecord-arbitraries.ts";

const check = <T>(property: fc.IProperty<T>, numRuns = 60): void =>
  fc.assert(property, { seed: Number(process.env.FC_SEED ?? 1), numRuns });

/** What a client hears that asks for all that strands ask for, and echoes what the server mints. */
function heard(entries: readonly Entry[], strands: readonly Strand[]): string[] {
  const client = httpTape(entries).connect();
  let id = 1000;
  const ask = (method: string, params: object) => {
    const messages = client.say({
      jsonrpc: "2.0",
      id: ++id,
      method,
      params: { ...params, _meta: { progressToken: id } },
    });
    for (const each of messages) {
      if (each.method !== "elicitation/create") continue;
      const { message } = each.params;
      messages.push(
        ...client.say({
          jsonrpc: "2.0",
          id: each.id,
          result: { action: "accept", content: { label: message } },
        }),
      );
    }
    return messages;
  };
  const all: unknown[] = [];
  for (const { tool, leads, times } of strands) {
    const called = ask("tools/call", { name: tool, arguments: {} });
    const { result } = called.at(-1);
    all.push(called);
    if (leads === "task") {
      for (let time = 0; time < times; time++) all.push(ask("tasks/get", { taskId: result.task.taskId }));
    } else if (leads === "state") {
      all.push(ask("tools/call", { name: tool, arguments: {}, requestState: result.requestState }));
    } else if (leads === "pages") {
      let cursor: string | undefined;
      for (let time = 0; time < times; time++) {
        const page = ask("tools/list", { tool, ...(cursor !== undefined && { cursor }) });
        all.push(page);
        cursor = page.at(-1).result.nextCursor;
      }
    }
  }
  // What is minted is another in each run, and so is how long it is.
  return all.map((each) =>
    JSON.stringify(each)
      .replace(/minted-[a-f0-9]{8}-\d+/g, "minted")
      .replace(/"ttl":\d+|"at [^"]*"/g, ""),
  );
}

describe.each([yamlCodec, jsonlCodec])("recording again, .$name", (codec) => {
  test("an unchanged server leaves the file as it is, whatever ids, names, times and order came", () => {
    check(
      fc.property(anyStrands, anyRun, anyRun, fc.boolean(), (strands, first, second, apart) => {
        const { old, text, same } = rerecorded(
          codec,
          recordingOf(strands, first, apart),
          recordingOf(strands, second, apart),
          HTTP,
        );
        expect(text).toBe(old);
        expect(same).toBe(true);
      }),
    );
  });

  test("one answer that changed is the one entry that changes", () => {
    check(
      fc.property(anyStrands, anyRun, anyRun, fc.nat(), (strands, first, second, which) => {
        const changed = strands.map((strand, index) =>
          index === which % strands.length
            ? { ...strand, leads: "nothing" as const, text: `${strand.text}!` }
            : strand,
        );
        const before = changed.map((strand, index) =>
          index === which % strands.length ? { ...strand, text: strand.text.slice(0, -1) } : strand,
        );
        const { old, text } = rerecorded(
          codec,
          recordingOf(before, first),
          recordingOf(changed, second),
          HTTP,
        );
        const [was, is] = [textsIn(codec, old), textsIn(codec, text)];
        expect(is.length).toBe(was.length);
        expect(is.filter((each, index) => each !== was[index])).toHaveLength(1);
      }),
    );
  });

  test("what is left replays as the new recording does, whatever was there before", () => {
    check(
      fc.property(
        anyStrands,
        anyStrands,
        fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
        anyRun,
        anyRun,
        (strands, others, stays, first, second) => {
          const before = strands.filter((_, index) => stays[index]).concat(others.slice(strands.length));
          const fresh = recordingOf(strands, second);
          const { text } = rerecorded(codec, recordingOf(before, first), fresh, HTTP);
          expect(heard(entriesIn(codec, text), strands)).toEqual(heard(fresh, strands));
        },
      ),
    );
  });

  test("again over what was left leaves it", () => {
    check(
      fc.property(anyStrands, anyStrands, anyRun, anyRun, (before, after, first, second) => {
        const fresh = recordingOf(after, second);
        const { text } = rerecorded(codec, recordingOf(before, first), fresh, HTTP);
        expect(rerecorded(codec, entriesIn(codec, text), fresh, HTTP)).toMatchObject({ same: true });
      }),
      80,
    );
  });
});
