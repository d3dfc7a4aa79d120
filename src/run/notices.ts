/** A line for people. stdout belongs to the protocol. */
export function warn(text: string): void {
  process.stderr.write(`mcp-vcr: ${text}\n`);
}

/** Red, where a person looks on who wants colours. */
export function paint(text: string): string {
  return process.stderr.isTTY && process.stderr.hasColors() ? `\u001B[31m${text}\u001B[39m` : text;
}
