import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempFolder } from "./support/cassette.ts";
import { type Client, type Door, PATIENCE_MS, walkRecorded, walkServed } from "./support/walk.ts";

/** What was recorded over one transport serves over the other. */

interface Row {
  readonly client: Client;
  readonly recorded: Door;
  readonly served: Door;
  readonly codec: "yaml" | "jsonl";
}

const SDK_1: Client = { sdk: "1", era: "legacy" };
const SDK_2: Client = { sdk: "2", era: "legacy" };
const MODERN: Client = { sdk: "2", era: "modern" };

const ROWS: readonly Row[] = [
  { client: SDK_2, recorded: "stdio", served: "http", codec: "yaml" },
  { client: SDK_1, recorded: "http", served: "stdio", codec: "jsonl" },
  { client: SDK_2, recorded: "json", served: "stdio", codec: "yaml" },
  { client: SDK_1, recorded: "sse", served: "stdio", codec: "yaml" },
  { client: MODERN, recorded: "stdio", served: "http", codec: "jsonl" },
  { client: MODERN, recorded: "http", served: "stdio", codec: "yaml" },
  { client: MODERN, recorded: "json", served: "stdio", codec: "jsonl" },
];

describe("the walk prints the same lines from a cassette of another transport", () => {
  test.each(ROWS)(
    "SDK $client.sdk, $client.era: recorded over $recorded, served over $served, .$codec",
    { timeout: PATIENCE_MS },
    async ({ client, recorded, served, codec }) => {
      const file = join(tempFolder(), `walk.${codec}`);
      const lines = await walkRecorded(client, { door: recorded, file });
      expect(await walkServed(client, { door: served, file })).toBe(lines);
    },
  );
});
