import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { shellQuote } from "../replay/miss.ts";
import { Git } from "./git.ts";

/** Files that git shows as recordings when nothing else is said. */
export const USUAL_PATTERNS: readonly string[] = ["cassettes/**/*.yaml", "cassettes/**/*.jsonl"];

const DRIVER = "mcp-vcr";

/** The line that begins an entry in YAML tells whose message it is, which is what a hunk is about. */
const HUNK_HEADER = "^--- # (.*)$";

export interface Installed {
  readonly attributes: string;
  /** Lines that were not there yet. */
  readonly lines: readonly string[];
  /** Settings of the repository, as they are now. */
  readonly settings: readonly (readonly [name: string, value: string])[];
}

/**
 * Makes `git diff` show cassettes as `mcp-vcr diff` does: a driver in the repository's own configuration, and the files
 * it is for in `.gitattributes`, which is for everybody.
 * @param program how to start this program, in words
 * @throws VcrError `usage` outside of a repository
 */
export async function installInGit(
  cwd: string,
  patterns: readonly string[],
  program: readonly string[],
): Promise<Installed> {
  const git = new Git(cwd);
  const root = await git.line("rev-parse", "--show-toplevel");
  const settings = [
    [`diff.${DRIVER}.command`, [...program, "git", "driver"].map(shellQuote).join(" ")],
    [`diff.${DRIVER}.xfuncname`, HUNK_HEADER],
  ] as const;
  for (const [name, value] of settings) await git.output("config", "--local", name, value);
  const attributes = join(root, ".gitattributes");
  const before = existsSync(attributes) ? readFileSync(attributes, "utf8") : "";
  const there = new Set(before.split(/\r?\n/).map((line) => line.trim()));
  const lines = patterns
    .map((pattern) => `${quoted(pattern)} diff=${DRIVER}`)
    .filter((line) => !there.has(line));
  if (lines.length > 0) {
    const gap = before === "" || before.endsWith("\n") ? "" : "\n";
    writeFileSync(attributes, `${before}${gap}${lines.join("\n")}\n`);
  }
  return { attributes, lines, settings };
}

/** As gitattributes(5) has patterns with spaces. */
function quoted(pattern: string): string {
  return /[\s"]/.test(pattern) ? JSON.stringify(pattern) : pattern;
}
