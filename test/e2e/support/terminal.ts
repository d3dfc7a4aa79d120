import { spawn } from "node:child_process";
import { shellQuote } from "../../../src/replay/miss.ts";
import { NODE } from "./program.ts";

/** What somebody types when the terminal shows a text. */
export type Typed = readonly [shown: string, typed: string];

/**
 * Runs a Node program on a terminal of its own (script(1) of util-linux) to its end.
 * @returns its exit code, and all that the terminal showed
 */
export function onTerminal(
  args: readonly string[],
  cwd: string,
  typed: readonly Typed[],
): Promise<{ readonly code: number | null; readonly shown: string }> {
  const command = [NODE, ...args].map(shellQuote).join(" ");
  const child = spawn("script", ["-qec", command, "/dev/null"], { cwd, stdio: ["pipe", "pipe", "inherit"] });
  const left = [...typed];
  let shown = "";
  let seen = 0;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    shown += text;
    for (let next = left[0]; next && shown.includes(next[0], seen); next = left[0]) {
      seen = shown.indexOf(next[0], seen) + next[0].length;
      child.stdin.write(next[1]);
      left.shift();
    }
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, shown }));
  });
}
