import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readCassette, tempFolder } from "./support/cassette.ts";
import { drive, driveReplay } from "./support/drive.ts";
import { fixture, start } from "./support/program.ts";

const EVERYTHING = fixture("../../node_modules/.bin/mcp-server-everything");

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** So that the mocks are asked as the servers were: a cassette answers in either era. */
const LEGACY = ["--era", "legacy"];

/** Both at once: one of the tools that only read takes ten seconds. */
test("--drive auto at server-everything, over stdio and over Streamable HTTP, and at its replays", async () => {
  const folder = tempFolder();
  const overStdio = { file: join(folder, "stdio.yaml"), drive: "auto", flags: LEGACY };
  const overHttp = { file: join(folder, "http.yaml"), drive: "auto", flags: LEGACY };
  const port = await freePort();
  const server = start([EVERYTHING, "streamableHttp"], { env: { PORT: String(port) } });
  await server.complained("listening");
  const recorded = await Promise.all([
    drive(overStdio, [EVERYTHING, "stdio"]),
    drive(overHttp, { url: `http://127.0.0.1:${port}/mcp` }),
  ]);
  await server.stop();
  for (const { code, stderr } of recorded) {
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("(2025-11-25)") });
    expect(stderr).toMatch(/resources\/read +7 answers/);
    expect(stderr).toMatch(/left out: tools\/call echo: needs message/);
  }
  const { entries } = await readCassette(overHttp.file);
  expect(entries.filter(({ http }) => http?.method === "DELETE")).toHaveLength(1);
  expect(await driveReplay(overStdio, "stdio")).toMatchObject({ code: 0 });
  expect(await driveReplay(overHttp, "http")).toMatchObject({ code: 0 });
});
