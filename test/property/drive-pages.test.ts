import fc from "fast-check";
import { expect, test } from "vitest";
import { MOST_PAGES } from "../../src/drive/pages.ts";
import type { JsonObject } from "../../src/protocol/message.ts";
import { follow, planOf, serverOf } from "../unit/drive/support.ts";

const LIST = planOf({ kind: "list", list: "tools" });

/** A server whose pages lead to each other in any way: a line, a circle, a self-loop, a cursor from nowhere. */
const graph = fc
  .uniqueArray(fc.string({ maxLength: 3 }), { minLength: 1, maxLength: 12 })
  .chain((cursors) => {
    const next = fc.option(fc.constantFrom(...cursors), { nil: undefined, freq: 6 });
    return fc.tuple(
      fc.constant(cursors),
      next,
      fc.array(next, { minLength: cursors.length, maxLength: cursors.length }),
    );
  });

test("a list is walked page by page to its end, or its circle is named, and no page is asked for twice", () => {
  const property = fc.property(graph, fc.constantFrom("legacy", "modern"), ([cursors, first, nexts], era) => {
    const asked: (string | undefined)[] = [];
    const server = serverOf(era, {
      "tools/list": ({ cursor }: JsonObject) => {
        asked.push(cursor as string | undefined);
        const next = cursor === undefined ? first : nexts[cursors.indexOf(cursor as string)];
        const page = { tools: [{ name: `tool ${asked.length}` }] };
        return { result: next === undefined ? page : { ...page, nextCursor: next } };
      },
    });
    const { report } = follow({ plan: LIST, server, era });

    const expected: (string | undefined)[] = [undefined];
    let at = first;
    while (at !== undefined && !expected.includes(at)) {
      expected.push(at);
      at = nexts[cursors.indexOf(at)];
    }
    expect(asked).toEqual(expected);
    expect(report.driven.map(({ listed }) => listed?.names.length)).toEqual(expected.map(() => 1));
    const circle =
      at === undefined ? [] : [expect.stringContaining(`the cursor ${JSON.stringify(at)} came twice`)];
    expect(report.notes).toEqual(circle);
  });
  fc.assert(property, { seed: Number(process.env.FC_SEED ?? 1), numRuns: 300 });
});

test("a list without end is left", () => {
  let page = 0;
  const server = serverOf("legacy", {
    "tools/list": () => ({ result: { tools: [], nextCursor: String(++page) } }),
  });
  const { report } = follow({ plan: LIST, server, era: "legacy" });
  expect(page).toBe(MOST_PAGES);
  expect(report.notes).toEqual([`tools/list: more than ${MOST_PAGES} pages; the rest was left out`]);
});

test("a cursor that is no text is named", () => {
  const server = serverOf("legacy", { "tools/list": () => ({ result: { tools: [], nextCursor: 7 } }) });
  expect(follow({ plan: LIST, server, era: "legacy" }).report.notes).toEqual([
    "tools/list: the cursor 7 is no text, so the list ends there",
  ]);
});
