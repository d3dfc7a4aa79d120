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
  readonly imports: readonly Import[];
  readonly context: string;
  readonly opens: string;
  /** Asserts what the client got as `answer`. */
  readonly answered: string;
  /** Asserts what came as `response` over HTTP. */
  readonly responded: string;
  /** Asserts what the tape received. */
  readonly received: string;
}

type Import = readonly [from: string, line: string];

const CONTENT = '[{ type: "text", text: "3 °C, rain" }]';
const CALL = '"tools/call", { name: "forecast", arguments: { city: "Oslo" } }';

const expecting = (entry: string, from: string): Words => ({
  imports: [
    [from, `import { expect, test } from "${from}";`],
    [entry, `import { useCassette } from "${entry}";`],
  ],
  context: "",
  opens: `useCassette("${EXAMPLE}")`,
  answered: `expect(answer).toMatchObject({ content: ${CONTENT} });`,
  responded: `expect(await response.json()).toMatchObject({ result: { content: ${CONTENT} } });`,
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
    answered: `assert.deepEqual(answer.content, ${CONTENT});`,
    responded: `const { result } = await response.json();\nassert.deepEqual(result.content, ${CONTENT});`,
    received: `assertReceived(tape, ${CALL});`,
  },
};

function textOf(words: Words, sdk: string | undefined): string {
  const client: readonly Import[] = sdk === undefined ? [] : [[sdk, `import { Client } from "${sdk}";`]];
  const imports = [...words.imports, ...client].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const asked = sdk === undefined ? askedByFetch(words) : askedByClient(words);
  return `${imports.map(([, line]) => line).join("\n")}

// An example that mcp-vcr init wrote: cassettes/${EXAMPLE}.yaml answers in place of a weather server. Ask for another city
// to see what becomes of a request that was not recorded. Delete both when your own tests stand.
test("the forecast for Oslo", async (${words.context}) => {
  const tape = await ${words.opens};
${asked.replace(/^(?=.)/gm, "  ")}
  ${words.received}
});
`;
}

function askedByClient({ answered }: Words): string {
  return `const client = new Client({ name: "example", version: "1" });
await client.connect(tape.transport());
const answer = await client.callTool({ name: "forecast", arguments: { city: "Oslo" } });
${answered}
await client.close();`;
}

/** By a request of the 2026-07-28 revision, which needs no session. */
function askedByFetch({ responded }: Words): string {
  return `// In place of a client: hand tape.fetch, or await tape.url, to the one that you test.
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
${responded}`;
}
