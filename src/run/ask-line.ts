import { createInterface } from "node:readline/promises";

/** Whether there is somebody to ask. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** What is answered to a question on the terminal; undefined when its end comes instead (Ctrl-D). */
export async function askLine(question: string): Promise<string | undefined> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  // A terminal in this mode tells of Ctrl-C to whoever reads lines, and to nobody else.
  lines.once("SIGINT", () => {
    lines.close();
    process.kill(process.pid, "SIGINT");
  });
  const ended = new Promise<undefined>((resolve) => lines.once("close", () => resolve(undefined)));
  const answer = await Promise.race([lines.question(`mcp-vcr: ${question} `), ended]);
  lines.close();
  return answer?.trim();
}
