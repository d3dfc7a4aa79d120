import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { CLI, run } from "./support/program.ts";

test("--base: an unchanged file that is no cassette is refused as a changed one is", async () => {
  const folder = mkdtempSync(join(tmpdir(), "mcp-vcr-base-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "cassettes"));
  const file = join(folder, "cassettes/a.yaml");
  writeFileSync(file, "just: yaml\n");
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], { cwd: folder });
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "first");
  const unchanged = await run([CLI, "diff", "--base", "HEAD"], { cwd: folder });
  writeFileSync(file, "other: yaml\n");
  const changed = await run([CLI, "diff", "--base", "HEAD"], { cwd: folder });
  expect([unchanged.code, changed.code]).toEqual([3, 3]);
});
