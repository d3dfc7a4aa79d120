/** What `convert` reads besides cassettes, for people. Apart from the readers, which a command's help does not need. */
export const FOREIGN_NAMES: readonly string[] = [
  "agent-vcr (.vcr)",
  "mcp-recorder (.json)",
  "mcp-cassette for Python (.json)",
  "mcp-cassette for Node (.jsonl)",
  "HAR (.har)",
];
