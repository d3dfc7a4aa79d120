import { copyFileSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { tempFolder } from "./support/cassette.ts";
import { freePort, start } from "./support/program.ts";
import { Talk } from "./support/talk.ts";
import { ask, everyday, PATIENCE_MS, record, type Target, walk } from "./support/walk.ts";

/** Recording again over a cassette keeps what did not change, so a diff shows what did. */

const require = createRequire(import.meta.url);
const EVERYTHING = join(
  dirname(require.resolve("@modelcontextprotocol/server-everything/package.json")),
  "dist/index.js",
);
const AGAIN = ["--mode", "all"] as const;

/** The lines of a cassette that are not the same in another one, in order. */
function changedLines(file: string, before: string): string[] {
  const was = new Set(readFileSync(before, "utf8").split("\n"));
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => !was.has(line));
}

async function asked(name: string, target: Target): Promise<void> {
  const { stderr } = await ask(name, target);
  expect(stderr.replace(/^Starting default.*\n/gm, "")).toBe("");
}

describe("server-everything, twice over one file", () => {
  test("over stdio nothing changes", { timeout: PATIENCE_MS }, async () => {
    const folder = tempFolder();
    const file = join(folder, "tape.yaml");
    for (const name of ["first", "second"]) {
      await asked("everything.yaml", { program: record(file, [EVERYTHING, "stdio"], ...AGAIN) });
      copyFileSync(file, join(folder, name));
    }
    expect(readFileSync(join(folder, "second"), "utf8")).toBe(readFileSync(join(folder, "first"), "utf8"));
    expect(readdirSync(folder).sort()).toEqual(["first", "second", "tape.yaml"]);
  });

  test("over HTTP, at another port, nothing changes", { timeout: PATIENCE_MS }, async () => {
    const folder = tempFolder();
    const file = join(folder, "tape.jsonl");
    for (const name of ["first", "second"]) {
      // The server takes no port of its own choosing, and 0 counts as none.
      const port = await freePort();
      const server = start([EVERYTHING, "streamableHttp"], { env: { PORT: String(port) } });
      await server.complained("listening on port");
      const recorder = start(record(file, { url: `http://127.0.0.1:${port}/mcp` }, ...AGAIN));
      await asked("everything-http.yaml", { url: await recorder.url(), transport: "http" });
      // On a busy machine the recorder is told a little later that the client's last connection is gone.
      await sleep(200);
      expect(await recorder.stop()).toMatchObject({ code: 0, stderr: "" });
      await server.stop();
      copyFileSync(file, join(folder, name));
    }
    expect(readFileSync(join(folder, "second"), "utf8")).toBe(readFileSync(join(folder, "first"), "utf8"));
  });

  test("what tells the time is what changes", { timeout: PATIENCE_MS }, async () => {
    const folder = tempFolder();
    const file = join(folder, "tape.yaml");
    const TIMED = "demo://resource/dynamic/text/1";
    for (const name of ["first", "second"]) {
      // It tells seconds: the two recordings are of different ones.
      await sleep(1000 - (Date.now() % 1000));
      const talk = new Talk(start(record(file, [EVERYTHING, "stdio"], ...AGAIN)));
      talk.on("roots/list", () => ({ roots: [] }));
      await talk.initialize();
      await talk.call("echo", { message: "before" });
      await talk.ask("resources/read", { uri: TIMED });
      await talk.call("echo", { message: "after" });
      // This server goes on when its stdin ends.
      await talk.program.stop();
      copyFileSync(file, join(folder, name));
    }
    const changed = changedLines(join(folder, "second"), join(folder, "first"));
    expect(changed).toEqual([expect.stringMatching(/text: .*created at \d/)]);
  });
});

const ROWS = [
  // Asks which era it is of a process of its own, which is recorded first.
  { name: "SDK 2, modern, stdio", sdk: "2", era: "modern", door: "stdio", codec: "yaml", probe: true },
  { name: "SDK 1, HTTP with SSE", sdk: "1", era: "legacy", door: "http", codec: "jsonl" },
] as const;

test.each(ROWS)("the everyday server, twice over one file: $name", { timeout: PATIENCE_MS }, async (row) => {
  const { sdk, era, door, codec } = row;
  const folder = tempFolder();
  const file = join(folder, `tape.${codec}`);
  for (const [time, ids] of ["none", "offset:100"].entries()) {
    const client = { sdk, era, ids, siblingProbe: "probe" in row };
    if (door === "stdio") await walk(client, { program: record(file, everyday(era, door), ...AGAIN) });
    else {
      const server = start(everyday(era, door));
      const recorder = start(record(file, { url: await server.url() }, ...AGAIN));
      await walk(client, { url: await recorder.url(), transport: door });
      expect(await recorder.stop()).toMatchObject({ code: 0, stderr: "" });
      await server.stop();
    }
    copyFileSync(file, join(folder, String(time)));
  }
  expect(readFileSync(join(folder, "1"), "utf8")).toBe(readFileSync(join(folder, "0"), "utf8"));
  expect(readdirSync(folder).sort()).toEqual(["0", "1", `tape.${codec}`]);
});
