import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { REDACTION_RULES } from "../../src/redact/redactor.ts";
import { openRedactor } from "../../src/run/redaction.ts";
import { codeBlocks } from "./code-blocks.ts";

const TEXT = readFileSync("docs/secrets.md", "utf8");
const NODE = process.env.MCP_VCR_TEST_NODE ?? process.execPath;

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "mcp-vcr-docs-"));
  mkdirSync(join(folder, "cassettes"));
  copyFileSync("cassettes/weather.yaml", join(folder, "cassettes/weather.yaml"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("every rule is in the table", () => {
  expect([...TEXT.matchAll(/^\| `(\w+)` \|/gm)].map(([, rule]) => rule)).toEqual(REDACTION_RULES);
});

const json = (value: unknown) => JSON.stringify(value);

test.each([
  ["headers", "Bearer [redacted:", (r) => r.header("authorization", "Bearer Zx81-Zx81-Zx81-Zx81")],
  ["keys", "[redacted:", (r) => said(r, json({ password: "Zx81Zx81" }))],
  ["keys, in JSON within a text", "[redacted:", (r) => said(r, json({ text: json({ apiKey: "Zx81Zx81" }) }))],
  ["pairs", "[redacted:", (r) => said(r, json([{ name: "password", value: "Zx81Zx81" }]))],
  ["text", "[redacted:", (r) => decode(r.text(encode("password: Zx81Zx81")))],
  ["urls", "[redacted:", (r) => said(r, json({ at: "https://me:Zx81Zx81@example.com/" }))],
  ["shapes", "[redacted:", (r) => said(r, json({ x: `ghp_${"Zx81".repeat(9)}` }))],
] as readonly [string, string, (r: ReturnType<typeof openRedactor>) => string][])(
  "%s strike",
  (_rule, placeholder, redact) => {
    const redacted = redact(openRedactor());
    expect(redacted).toContain(placeholder);
    expect(redacted).not.toContain("Zx81");
  },
);

test("members of the protocol stay", () => {
  const kept = json({ progressToken: "Zx81Zx81", maxTokens: 12345, nextCursor: "Zx81Zx81" });
  expect(said(openRedactor(), kept)).toBe(kept);
});

test("the blocks are what they seem", () => {
  const [config, commands, ...others] = codeBlocks("docs/secrets.md");
  expect(others).toEqual([]);
  writeFileSync(join(folder, "mcp-vcr.config.yaml"), config?.text ?? "");
  const entries = () =>
    readFileSync(join(folder, "cassettes/weather.yaml"), "utf8").replace(/^.*?^---/ms, "");
  const before = entries();
  for (const line of (commands?.text ?? "").split("\n")) {
    const [, ...args] = line.split(" ");
    const env = { ...process.env, WEATHER_TOKEN: "Zx81-Zx81" };
    expect(spawnSync(NODE, [resolve("dist/cli.cjs"), ...args], { cwd: folder, env }).status).toBe(0);
  }
  expect(entries()).toBe(before);
});

const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const said = (redactor: ReturnType<typeof openRedactor>, text: string) => decode(redactor.json(encode(text)));
