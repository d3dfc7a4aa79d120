import { afterEach, describe, expect, test, vi } from "vitest";
import { main } from "../../../src/cli/program.ts";
import { tellWaiting } from "../../../src/run/notices.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

/** What the command line says on stderr, and its exit code. */
async function said(...args: string[]): Promise<{ code: number; stderr: string }> {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const code = await main(["node", "mcp-vcr", ...args]);
  return { code, stderr: write.mock.calls.map(([text]) => String(text)).join("") };
}

describe("wrong usage is told by name, with what helps", () => {
  test.each([
    [["bogus"], "mcp-vcr: unknown command 'bogus'\nSee mcp-vcr --help\n"],
    [["serve"], "mcp-vcr: missing required argument 'file'\nSee mcp-vcr serve --help\n"],
    [
      ["serve", "a.yaml", "--strickt"],
      "mcp-vcr: unknown option '--strickt'\n(Did you mean --strict?)\nSee mcp-vcr serve --help\n",
    ],
    [
      ["serve", "a.yaml", "--answers", "json"],
      "mcp-vcr: --answers goes with --listen: over stdio an answer has but one form\n" +
        "Leave --answers out, or serve over HTTP by --listen 127.0.0.1:8080.\n",
    ],
    [
      ["record", "--drive", "nofile.yaml", "--", "node", "x.js"],
      "mcp-vcr: --drive nofile.yaml: there is no such file\nName a drive file, or auto to walk discovery.\n",
    ],
    [
      ["serve", "a.yaml", "--report", "nofolder/r.json"],
      "mcp-vcr: --report nofolder/r.json: there is no such folder\n",
    ],
  ])("%s", async (args, stderr) => {
    expect(await said(...args)).toEqual({ code: 2, stderr });
  });
});

test("who starts by hand what a client starts is told, and nobody else", () => {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  tellWaiting({});
  expect(write).not.toHaveBeenCalled();
  tellWaiting({ isTTY: true }, " Without a client, use record --drive.");
  expect(write.mock.calls).toEqual([
    [
      "mcp-vcr: waiting for a client on stdin: this is the command that a client starts. Ctrl-D ends. Without a client, use record --drive.\n",
    ],
  ]);
});
