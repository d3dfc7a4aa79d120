import { createInterface } from "node:readline/promises";
import type { AskPermission } from "../drive/again/permits.ts";

/** Asks on the terminal, tool by tool; undefined where there is none. */
export function askOnTerminal(): AskPermission | undefined {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  let all: boolean | undefined;
  return async (tool) => {
    if (all !== undefined) return all;
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    // A terminal in this mode tells of Ctrl-C to whoever reads lines, and to nobody else.
    lines.once("SIGINT", () => {
      lines.close();
      process.kill(process.pid, "SIGINT");
    });
    const question = `mcp-vcr: the recording calls ${JSON.stringify(tool)}, which may change things. Call it? [y]es, [N]o, [a]ll, n[o]ne: `;
    const answer = (await lines.question(question)).trim().toLowerCase();
    lines.close();
    if (answer === "a" || answer === "all") all = true;
    if (answer === "o" || answer === "none") all = false;
    return all ?? (answer === "y" || answer === "yes");
  };
}
