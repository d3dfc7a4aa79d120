/** A line for people. stdout belongs to the protocol. */
export function warn(text: string): void {
  process.stderr.write(`mcp-vcr: ${text}\n`);
}

/** Red, where a person looks on who wants colours. */
export function paint(text: string): string {
  return process.stderr.isTTY && process.stderr.hasColors() ? `\u001B[31m${text}\u001B[39m` : text;
}

/**
 * Says that nothing is wrong where a person started, by hand, what a client starts.
 * @param further what may be said besides
 */
export function tellWaiting({ isTTY }: { readonly isTTY?: boolean }, further = ""): void {
  if (!isTTY) return;
  warn(`waiting for a client on stdin: this is the command that a client starts. Ctrl-D ends.${further}`);
}
