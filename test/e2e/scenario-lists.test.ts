import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempFolder } from "./support/cassette.ts";
import { CLI, NODE, start } from "./support/program.ts";
import { connect, type Sdk } from "./support/sdk.ts";
import { type Client, LISTEN } from "./support/walk.ts";

/** Lists over many pages, and their traps, as clients of the published SDKs walk them. */

const CLIENTS: readonly Client[] = [
  { sdk: "1", era: "legacy" },
  { sdk: "2", era: "legacy" },
  { sdk: "2", era: "modern" },
];
const DOORS = ["stdio", "http"] as const;

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
type Answer = any;

const namesOf = (items: readonly { readonly name: string }[]) => items.map(({ name }) => name);

/** Pages until there is no cursor, `most` at most. */
async function pagesOf(sdk: Sdk, list: string, most = 50): Promise<string[][]> {
  const pages: string[][] = [];
  for (let params: object | undefined = {}; params && pages.length < most; ) {
    const { nextCursor, ...page }: Answer = await sdk.request(`${list}/list`, params);
    pages.push(namesOf(Object.values(page).find(Array.isArray) as Answer));
    params = nextCursor === undefined ? undefined : { cursor: nextCursor };
  }
  return pages;
}

const refusal = (promise: Promise<Answer>) =>
  promise.then(
    (answer) => ({ answer }),
    ({ code, message }: { code: number; message: string }) => ({ code, message }),
  );

const TRAPS = `scenario: 1
pages:
  tools: { size: 2, loop: 2 }
  prompts: { size: 1, empty: [1, 3], emptyCursor: 2 }
  resources: { size: 1, expire: 5ms }
tools: [{ name: a }, { name: b }, { name: c }, { name: switch, replies: [{ steps: [{ hide: { tools: [c] } }], text: ok }] }]
prompts: [{ name: p }, { name: q }]
resources: [{ uri: "a:1" }, { uri: "a:2" }]
`;

const SEEN: readonly {
  readonly what: string;
  readonly see: (sdk: Sdk) => Promise<unknown>;
  readonly as: unknown;
}[] = [
  {
    what: "pages that hold nothing and lead on, one of them by an empty cursor",
    see: (sdk) => pagesOf(sdk, "prompts"),
    as: [[], ["p"], [], ["q"]],
  },
  {
    what: "pages without an end",
    see: (sdk) => pagesOf(sdk, "tools", 5),
    as: [
      ["a", "b"],
      ["c", "switch"],
      ["c", "switch"],
      ["c", "switch"],
      ["c", "switch"],
    ],
  },
  {
    what: "a cursor that was never given out",
    see: (sdk) => refusal(sdk.request("tools/list", { cursor: "nonsense" })),
    as: { code: -32602, message: expect.stringContaining("it was not given out by this server") },
  },
  {
    what: "a cursor that holds no more",
    see: async (sdk) => {
      const { nextCursor: cursor }: Answer = await sdk.request("resources/list", {});
      await new Promise((resolve) => setTimeout(resolve, 20));
      return refusal(sdk.request("resources/list", { cursor }));
    },
    as: { code: -32602, message: expect.stringContaining("it has expired") },
  },
  {
    what: "a cursor of a list that has changed since",
    see: async (sdk) => {
      const { nextCursor: cursor }: Answer = await sdk.request("tools/list", {});
      await sdk.request("tools/call", { name: "switch", arguments: {} });
      return refusal(sdk.request("tools/list", { cursor }));
    },
    as: { code: -32602, message: expect.stringContaining("it has expired") },
  },
];

const scenarioFile = (text: string): string => {
  const file = join(tempFolder(), "lists.yaml");
  writeFileSync(file, text);
  return file;
};

describe.each(CLIENTS)("SDK $sdk, $era", (client) => {
  test.each(DOORS)("falls over %s into each trap of a list", async (door) => {
    const args = [CLI, "serve", scenarioFile(TRAPS)];
    const server = door === "http" ? start([...args, ...LISTEN]) : undefined;
    const sdk = await connect(client, server ? { url: await server.url() } : { command: [NODE, ...args] });
    for (const { what, see, as } of SEEN) expect({ what, seen: await see(sdk) }).toEqual({ what, seen: as });
    await sdk.client.close();
    if (server) expect((await server.stop()).code).toBe(0);
  });
});

describe("forty tools over twenty pages", () => {
  const names = Array.from({ length: 40 }, (_, index) => `t${index}`);
  const text = `scenario: 1\npageSize: 2\ntools: [${names.map((name) => `{ name: ${name} }`).join(", ")}, { name: a, unlisted: true, replies: [{ text: a }] }]\n`;

  test("are walked whole by every client, by hand and by its own listing", async () => {
    const server = start([CLI, "serve", scenarioFile(text), ...LISTEN]);
    const url = await server.url();
    await Promise.all(
      CLIENTS.map(async (client) => {
        const sdk = await connect(client, { url });
        const pages = await pagesOf(sdk, "tools");
        expect([pages.length, pages.flat()]).toEqual([20, names]);
        // SDK 2 walks all pages by itself, SDK 1 leaves that to whoever asks.
        const { tools, nextCursor } = await sdk.client.listTools();
        expect([tools.length, nextCursor === undefined]).toEqual(
          client.sdk === "1" ? [2, false] : [40, true],
        );
        await sdk.client.close();
      }),
    );
    expect((await server.stop()).code).toBe(0);
  });

  test("that a client leaves early are in the report, and so is what nobody asked", async () => {
    const report = join(tempFolder(), "report.json");
    const server = start([CLI, "serve", scenarioFile(text), "--report", report, ...LISTEN]);
    const sdk = await connect({ sdk: "2", era: "modern" }, { url: await server.url() });
    const first: Answer = await sdk.request("tools/list", {});
    await sdk.request("tools/list", { cursor: first.nextCursor });
    await sdk.client.close();
    expect((await server.stop()).code).toBe(0);
    const { unused } = JSON.parse(readFileSync(report, "utf8"));
    expect(unused).toHaveLength(19);
    expect(unused.slice(0, 2)).toEqual([
      { label: "tools/call a", asked: {}, place: expect.stringMatching(/:\d+:\d+$/) },
      { label: "tools/list", asked: { page: 3 } },
    ]);
  });
});
