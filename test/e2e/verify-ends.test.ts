import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "./support/cassette.ts";
import { run } from "./support/program.ts";
import { ruled, verify } from "./support/verify.ts";
import { record } from "./support/walk.ts";

/** Does not end with its stdin, and calls it a failure to be told to. */
const STUBBORN = `
process.on("SIGTERM", () => process.exit(1));
setInterval(() => {}, 1000);
const ANSWERS = {
  initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } },
  "tools/list": { tools: [{ name: "t", inputSchema: { type: "object" } }] },
};
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: ANSWERS[method] }));
});
`;

test("how a server ends that is made to is no difference, and stays as it was", async () => {
  const folder = tempFolder();
  const [server, file, steps] = ["server.cjs", "a.yaml", "list.yaml"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(server, STUBBORN);
  writeFileSync(steps, "- list: tools\n");
  await run(record(file, [server], "--drive", steps, "--era", "legacy"));
  const ended = readFileSync(file, "utf8");
  expect(ended).toContain("closed: { exit: 1 }");
  const text = ended.replace("closed: { exit: 1 }", "closed: { exit: 0 }");
  writeFileSync(file, text);
  const verified = await verify(file, [server], "--update");
  expect({ rules: ruled(verified), code: verified.code }).toEqual({ rules: [], code: 0 });
  expect(readFileSync(file, "utf8")).toBe(text);
});
