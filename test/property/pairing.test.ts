import fc from "fast-check";
import { expect, test } from "vitest";
import { alignExchanges } from "../../src/drift/pairs.ts";
import { Side } from "../../src/drift/side.ts";
import { recorded } from "../cases/drift.ts";
import { client, request, result, server } from "../cases/tape.ts";

/** A recording that asks for these, one after the other. */
const asking = (names: readonly string[]): Side =>
  new Side(
    recorded(
      names.flatMap((name, id) => [
        client(request(id, "tools/call", { name })),
        server(result(id, { content: [] })),
      ]),
    ),
  );

/** Indexes of what is the same: the n-th of a name is the n-th. */
function expected(old: readonly string[], fresh: readonly string[]): number[][] {
  const left = [...old.keys()];
  const pairs = fresh.flatMap((name, index) => {
    const at = left.findIndex((each) => old[each] === name);
    return at < 0 ? [] : [[left.splice(at, 1)[0] as number, index]];
  });
  return pairs.sort(([a = 0], [b = 0]) => a - b);
}

const anyName = fc.constantFrom("a", "b", "c", "d", "e", "f");
const anyNames = fc.array(anyName, { maxLength: 12 });

test("the n-th request that asks something is the n-th of the other recording", () => {
  fc.assert(
    fc.property(anyNames, anyNames, anyNames, anyNames, (before, gone, come, after) => {
      const [old, fresh] = [
        [...before, ...gone.slice(0, 2), ...after],
        [...before, ...come.slice(0, 2), ...after],
      ];
      const { pairs } = alignExchanges(asking(old), asking(fresh));
      expect(pairs.map((pair) => [pair.old.index, pair.fresh.index])).toEqual(expected(old, fresh));
    }),
    { seed: Number(process.env.FC_SEED ?? 1), numRuns: 300 },
  );
});
