import type { Manifest } from "./manifest.ts";
import type { Folder, Runner } from "./project.ts";

/** The cassette that comes with the program: `src/setup/example/example.yaml`. */
export const EXAMPLE = "example";

/** The clients of the official SDKs, 2.x and 1.x, and where they are imported from. */
const SDKS: readonly (readonly [name: string, from: string])[] = [
  ["@modelcontextprotocol/client", "@modelcontextprotocol/client"],
  ["@modelcontextprotocol/sdk", "@modelcontextprotocol/sdk/client/index.js"],
];

/** Folders in which projects keep their tests; the first is made where there is none. */
const TEST_FOLDERS = ["test", "tests", "__tests__"];

export interface ExampleTest {
  readonly path: string;
  readonly text: string;
  /** The same test under other names, if it was made before. */
  readonly others: readonly string[];
}

/** A test of the example cassette that passes as it stands, for a client that the project has. */
export function exampleTest(runner: Runner, manifest: Manifest, { names }: Folder): ExampleTest {
  const here = names[0] ?? [];
  const folder = TEST_FOLDERS.find((name) => here.includes(name)) ?? "test";
  const isTyped = here.includes("tsconfig.json") || manifest.dependencies.has("typescript");
  // Runners other than vitest need settings for TypeScript, and jest runs as ES modules what is called so.
  const ending =
    runner === "vitest" && isTyped ? "ts" : runner !== "jest" && manifest.isModule ? "js" : "mjs";
  const files = ["ts", "js", "mjs"].map((each) => `${folder}/mcp-example.test.${each}`);
  const path = `${folder}/mcp-example.test.${ending}`;
  const sdk = SDKS.find(([name]) => manifest.dependencies.has(name))?.[1];
  return { path, text: textOf(WORDS[runner], sdk), others: files.filter((file) => file !== path) };
}

interface Words {
  /** By which module each import comes first. */
  readonly imports: readonly (readonly [from: string, line: string])[];
  readonly context: string;
  readonly opens: string;
  readonly answered: (value: string, wanted: string) => string;
  /** Of the request, by an assertion of the runner. */
  readonly received: string;
}

const CALL = '"tools/call", { name: "forecast", arguments: { city: "Oslo" } }';

const expecting = (entry: string, from: string): Words => ({
  imports: [
    [from, `import { expect, test } from "${from}";`],
    [entry, `import { useCassette } from "${entry}";`],
  ],
  context: "",
  opens: `useCassette("${EXAMPLE}")`,
  answered: (value, wanted) => `expect(${value}).toMatchObject(${wanted});`,
  received: `expect(tape).toHaveReceived(${CALL});`,
});

const WORDS: Readonly<Record<Runner, Words>> = {
  vitest: expecting("mcp-vcr/vitest", "vitest"),
  jest: expecting("mcp-vcr/jest", "@jest/globals"),
  "node-test": {
    imports: [
      ["mcp-vcr/node-test", 'import { assertReceived, useCassette } from "mcp-vcr/node-test";'],
      ["node:assert/strict", 'import assert from "node:assert/strict";'],
      ["node:test", 'import { test } from "node:test";'],
    ],
    context: "t",
    opens: `useCassette(t, "${EXAMPLE}")`,
    answered: (value, wanted) => `assert.deepEqual(${value}, ${wanted});`,
    received: `assertReceived(tape, ${CALL});`,
  },
};

function textOf(words: Words, sdk: string | undefined): string {
  const client = [sdk ?? "", `import { Client } from "${sdk}";`] as const;
  const imports = [...words.imports, ...(sdk === undefined ? [] : [client])];
  const lines = imports.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line);
  const body = sdk === undefined ? withFetch(words) : withClient(words);
  return `${lines.join("\n")}

// An example that mcp-vcr init wrote: cassettes/${EXAMPLE}.yaml answers in place of a weather server. Ask for another city
// to see what a request says that was not recorded. Delete both when your own tests stand.
test("the forecast for Oslo", async (${words.context}) => {
  const tape = await ${words.opens};
${body.replace(/^(?=.)/gm, "  ")}
  ${words.received}
});
`;
}

function withClient({ answered }: Words): string {
  const content = '[{ type: "text", text: "3 °C, rain" }]';
  const isWhole = answered("", "").startsWith("expect");
  return `const client = new Client({ name: "example", version: "1" });
await client.connect(tape.transport());
const answer = await client.callTool({ name: "forecast", arguments: { city: "Oslo" } });
${isWhole ? answered("answer", `{ content: ${content} }`) : answered("answer.content", content)}
await client.close();`;
}

/** A request of the 2026-07-28 revision, which needs no session. */
function withFetch({ answered }: Words): string {
  const content = '[{ type: "text", text: "3 °C, rain" }]';
  const isWhole = answered("", "").startsWith("expect");
  return `// In place of a client: hand tape.fetch, or await tape.url, to the one you test.
const response = await tape.fetch("http://weather.example/mcp", {
  method: "POST",
  headers: {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": "forecast",
  },
  body: JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: {
      name: "forecast",
      arguments: { city: "Oslo" },
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
  }),
});
const { result } = await response.json();
${isWhole ? answered("result", `{ content: ${content} }`) : answered("result.content", content)}`;
}
