import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { type CassetteOptions, type Tape, useCassette } from "../../../src/index.ts";

/** A session of the legacy era with one tool that reports progress, and one call of it. */
export const LEGACY = [
  `{"mcp-vcr":1,"recorded":"2026-11-30T09:00:00.000Z","recorder":"mcp-vcr/0.1.0","source":{"transport":"stdio","command":["node","x.js"]}}`,
  `{"at":0,"from":"client","message":{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}}`,
  `{"at":1,"from":"server","message":{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}}}`,
  `{"at":2,"from":"client","message":{"jsonrpc":"2.0","method":"notifications/initialized"}}`,
  `{"at":3,"from":"client","message":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count","arguments":{},"_meta":{"progressToken":1}}}}`,
  `{"at":4,"from":"server","message":{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}}`,
  `{"at":5,"from":"server","message":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"one"}]}}}`,
  `{"at":6,"from":"client","message":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"count","arguments":{}}}}`,
  `{"at":7,"from":"server","message":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"two"}]}}}`,
];

const MODERN_META = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`;

/** A subscription of the modern era that stays open. */
export const LISTENING = [
  LEGACY[0] as string,
  `{"at":0,"from":"client","message":{"jsonrpc":"2.0","id":"l","method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},${MODERN_META}}}}`,
  `{"at":1,"from":"server","message":{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"l"}}}}`,
];

/** A folder that goes with the test, with these files in it. */
export function folderOf(files: Readonly<Record<string, readonly string[]>>): string {
  const folder = mkdtempSync(join(tmpdir(), "mcp-vcr-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, lines] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), `${lines.join("\n")}\n`);
  }
  return folder;
}

/** A tape that is closed with the test. */
export async function tapeOf(lines: readonly string[], options: CassetteOptions = {}): Promise<Tape> {
  const tape = await useCassette("session", { folder: folderOf({ "session.jsonl": lines }), ...options });
  onTestFinished(() => tape.close());
  return tape;
}
