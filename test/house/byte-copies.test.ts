import { expect, test } from "vitest";
import { readTree, type SourceTree } from "./source-tree.ts";

/** Where bytes may be a Buffer's, `slice` copies nothing, though it does for every other Uint8Array. */
const SLICED_BYTES = /\b(?:bytes|data|raw|chunk|body|memory|room|take\(\))\.slice\(/;

function findSlicedBytes(tree: SourceTree): string[] {
  return [...tree].flatMap(([path, text]) =>
    text
      .split("\n")
      .flatMap((line, at) =>
        SLICED_BYTES.test(line)
          ? [`${path}:${at + 1}: copyOf copies, subarray does not; slice may do either`]
          : [],
      ),
  );
}

test("nobody takes a view of bytes for a copy", () => {
  expect(findSlicedBytes(readTree(["src"], [".ts"]))).toEqual([]);
});

test("the check finds a slice of bytes", () => {
  const tree = new Map([["src/a.ts", "const a = 1;\nkeep(message.bytes.slice(1, 2));\nname.slice(1);\n"]]);
  expect(findSlicedBytes(tree)).toEqual([
    "src/a.ts:2: copyOf copies, subarray does not; slice may do either",
  ]);
});
