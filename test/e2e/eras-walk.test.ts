import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "./support/cassette.ts";
import { PATIENCE_MS, servingUrl, walk, walkRecorded, walkServed } from "./support/walk.ts";

/**
 * Everything the everyday server can do, recorded in one era and walked in the other: the same lines as from the server
 * itself in that era.
 */

// There the client sends something else in each era: a handle where there is no session.
const skip = ["login"];

test("a recording of each era, walked in the other, over stdio and HTTP, with SDK 1.x and 2.x", {
  timeout: PATIENCE_MS,
}, async () => {
  const folder = tempFolder();
  const files = { legacy: join(folder, "legacy.yaml"), modern: join(folder, "modern.jsonl") };
  const legacy = await walkRecorded({ sdk: "2", era: "legacy", skip }, { door: "http", file: files.legacy });
  const modern = await walkRecorded({ sdk: "2", era: "modern", skip }, { door: "stdio", file: files.modern });

  const lines = (text: string) => text.split("\n");
  const toModern = { sdk: "2", era: "modern", skip } as const;
  expect(lines(await walkServed(toModern, { door: "stdio", file: files.legacy }))).toEqual(lines(modern));
  expect(lines(await walkServed(toModern, { door: "http", file: files.legacy }))).toEqual(lines(modern));

  expect(
    lines(await walkServed({ sdk: "2", era: "legacy", skip }, { door: "stdio", file: files.modern })),
  ).toEqual(lines(legacy));
  // SDK 2.x hides the code that legacy servers give to what is not found.
  const seenBySdk1 = lines(legacy).map((line) =>
    line.startsWith("error unknown resource") ? line.replace("-32602", "-32002") : line,
  );
  const sdk1 = await servingUrl(files.modern, (url) =>
    walk({ sdk: "1", era: "legacy", skip }, { url, transport: "http" }),
  );
  // SDK 1.x answers a list with its first page, which a line tells; all else is the same.
  expect(lines(sdk1)).toEqual(seenBySdk1);
});
