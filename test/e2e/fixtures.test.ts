import { expect, test } from "vitest";
import { fixture, NODE, run } from "./support/program.ts";
import { everyday, walk } from "./support/walk.ts";

/** The walk as a program; as a function other tests hold it against the server, see walk.test.ts. */

const WALK = fixture("clients/walk.mjs");

test("the program prints what the walk sees", async () => {
  const program = everyday("modern", "stdio");
  const flags = ["--sdk", "2", "--era", "modern", "--ids", "string", "--order", "3", "--skip", "announce"];
  const { code, stdout, stderr } = await run([WALK, ...flags, "--", NODE, ...program]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const seen = await walk({ sdk: "2", era: "modern", skip: ["announce"] }, { program });
  expect(stdout.toString()).toBe(seen);
});

test("the walk fails where the server is not what it expects", async () => {
  const server = [fixture("servers/exits-with-code.mjs"), "5"];
  const { code, stdout, stderr } = await run([WALK, "--sdk", "1", "--", NODE, ...server]);
  expect({ code, stdout: stdout.toString() }).toEqual({ code: 1, stdout: "" });
  expect(stderr).not.toBe("");
  await expect(walk({ sdk: "1", era: "legacy" }, { program: server })).rejects.toThrow("The client failed");
});

test("the walk tells of a scene that there is not", async () => {
  const { code, stderr } = await run([WALK, "--only", "ping,pong", "--", NODE]);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("no scene named pong") });
});
