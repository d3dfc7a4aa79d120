import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const NODE = process.env.MCP_VCR_TEST_NODE ?? process.execPath;

function help(...command: readonly string[]): string {
  const told = spawnSync(NODE, [resolve("dist/cli.cjs"), ...command, "--help"], { encoding: "utf8" });
  expect(told).toMatchObject({ status: 0, stderr: "" });
  return told.stdout.trim();
}

/** The commands that a help text lists, without the one that prints help. */
function commandsIn(text: string): readonly string[] {
  const [, list = ""] = text.split("\nCommands:\n");
  const names = [...(list.split("\n\n")[0] ?? "").matchAll(/^ {2}(\w[\w-]*)/gm)].map(([, name = ""]) => name);
  return names.filter((name) => name !== "help");
}

function section(command: readonly string[]): string {
  const text = help(...command);
  const own = `${"#".repeat(2)} ${["mcp-vcr", ...command].join(" ")}\n\n\`\`\`text\n${text}\n\`\`\`\n`;
  return [own, ...commandsIn(text).map((name) => section([...command, name]))].join("\n");
}

test("docs/commands.md is what the help texts say", { timeout: 60_000 }, async () => {
  const head = "# Commands\n\nWhat `--help` prints, command by command.\n\n";
  await expect(`${head}${section([])}`).toMatchFileSnapshot(resolve("docs/commands.md"));
});
