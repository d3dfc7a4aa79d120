/** A line for people. stdout belongs to the protocol. */
export function warn(text: string): void {
  process.stderr.write(`mcp-vcr: ${text}\n`);
}
