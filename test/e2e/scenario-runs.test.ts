import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "./support/cassette.ts";
import { CLI, start } from "./support/program.ts";
import { Talk } from "./support/talk.ts";
import { LISTEN } from "./support/walk.ts";

/** The same scenario, seed and messages have the same answers, to the byte; and it is there as fast as a cassette. */

const INITIALIZE = {
  protocolVersion: "2025-11-25",
  capabilities: { elicitation: {}, sampling: {} },
  clientInfo: { name: "run", version: "1" },
};

const call = (name: string, args: object = {}, more: object = {}) => ({
  method: "tools/call",
  params: { name, arguments: args, ...more },
});

/** What every client says, one thing after the other. */
const SAID: readonly { readonly method: string; readonly params?: object }[] = [
  { method: "tools/list" },
  { method: "prompts/list" },
  { method: "prompts/list", params: { cursor: "" } },
  call("reading"),
  call("reading"),
  call("reading", { again: true }),
  call("poll"),
  call("poll"),
  call("work", {}, { _meta: { progressToken: "p" } }),
  call("forecast", { city: "Bergen" }),
  call("login", { name: "Ada" }),
  call("whoami"),
  call("book"),
  { method: "resources/read", params: { uri: "weather://stations/7" } },
  { method: "prompts/get", params: { name: "greet", arguments: { name: "Ada" } } },
];

/** One client's session over HTTP: the bodies that it gets, as they are. */
async function overHttp(url: string): Promise<string[]> {
  const got: string[] = [];
  let session: Record<string, string> = {};
  const post = async (message: object) => {
    const headers = { accept: "application/json, text/event-stream", "content-type": "application/json" };
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    const response = await fetch(url, { method: "POST", headers: { ...headers, ...session }, body });
    const id = response.headers.get("mcp-session-id");
    if (id !== null) session = { "mcp-session-id": id, "mcp-protocol-version": "2025-11-25" };
    let text = "";
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += piece;
      // What the server asks on the way is answered by another POST.
      const [, ask] = /"id":(\d+),"method":"elicitation\/create"/.exec(piece) ?? [];
      if (ask !== undefined)
        void post({ id: Number(ask), result: { action: "accept", content: { city: "Rome" } } });
    }
    if (text !== "") got.push(text);
  };
  await post({ id: 0, method: "initialize", params: INITIALIZE });
  await post({ method: "notifications/initialized" });
  for (const [index, said] of SAID.entries()) await post({ id: index + 1, ...said });
  return got;
}

test("a hundred clients of one server, ten at a time, get the same to the byte", async () => {
  const server = start([CLI, "serve", "everything", ...LISTEN]);
  const url = await server.url();
  const runs: string[] = [];
  const one = async () => {
    while (runs.length < 100) runs.push((await overHttp(url)).join("\n"));
  };
  await Promise.all(Array.from({ length: 10 }, one));
  expect(new Set(runs)).toEqual(new Set([runs[0]]));
  expect(runs[0]).toContain("Booked Rome");
  expect((await server.stop()).code).toBe(0);
});

test("so do clients with a server of their own each, over stdio", async () => {
  const runs = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const program = start([CLI, "serve", "everything"]);
      const talk = new Talk(program);
      talk.on("elicitation/create", () => ({ action: "accept", content: { city: "Rome" } }));
      await talk.ask("initialize", INITIALIZE);
      talk.notify("notifications/initialized");
      for (const { method, params } of SAID) await talk.ask(method, params);
      program.child.stdin.end();
      await program.ended;
      return talk.lines.join("\n");
    }),
  );
  expect(new Set(runs)).toEqual(new Set([runs[0]]));
});

test("what checks schemas is not loaded before the first answer", async () => {
  const folder = tempFolder();
  const watch = join(folder, "watch.cjs");
  writeFileSync(
    watch,
    `const { Module } = require("node:module");
let written = 0;
const { write } = process.stdout;
process.stdout.write = function (...all) { written++; return write.apply(this, all); };
const load = Module._load;
Module._load = function (request, ...all) {
  if (/ajv/.test(request)) process.stderr.write(\`ajv after \${written > 0 ? "an" : "no"} answer\\n\`);
  return load.call(this, request, ...all);
};
`,
  );
  const program = start(["-r", watch, CLI, "serve", "everything"]);
  const talk = new Talk(program);
  await talk.ask("initialize", INITIALIZE);
  program.child.stdin.end();
  const { stderr } = await program.ended;
  expect(stderr).toContain("ajv after an answer");
  expect(stderr).not.toContain("ajv after no answer");
});
