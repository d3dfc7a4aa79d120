/** Who meets whom in the matrix: cassettes, doors and clients, as data. */

/** `recorded` is how the cassette's server was reached. */
export const CASSETTES = [
  { name: "legacy, over stdio", era: "legacy", recorded: "stdio", file: "legacy-stdio.yaml" },
  { name: "legacy, over HTTP", era: "legacy", recorded: "http", file: "legacy-http.jsonl" },
  { name: "modern, over stdio", era: "modern", recorded: "stdio", file: "modern-stdio.jsonl" },
  { name: "modern, over HTTP", era: "modern", recorded: "http", file: "modern-http.yaml" },
];

/** `transport` is the client's; `answers` is `serve --answers`, and `path` where it serves what was not recorded so. */
export const DOORS = [
  { name: "stdio", transport: "stdio" },
  { name: "HTTP, JSON", transport: "http", answers: "json", path: "/mcp" },
  { name: "HTTP, SSE", transport: "http", answers: "sse", path: "/mcp" },
  { name: "HTTP+SSE pair", transport: "sse", answers: "json", path: "/sse" },
  { name: "in process", transport: "memory" },
];

export const CLIENTS = [
  { name: "SDK 1.x, legacy", sdk: "1", era: "legacy" },
  { name: "SDK 2.x, legacy", sdk: "2", era: "legacy" },
  { name: "SDK 1.x, modern", sdk: "1", era: "modern" },
  { name: "SDK 2.x, modern", sdk: "2", era: "modern" },
];

/** What cannot meet whatever this program does, and why. */
const IMPOSSIBLE = [
  {
    reason: "SDK 1.x does not speak 2026-07-28",
    holds: ({ client }) => client.sdk === "1" && client.era === "modern",
  },
  {
    reason: "2026-07-28 has no HTTP+SSE pair",
    holds: ({ client, door }) => client.era === "modern" && door.transport === "sse",
  },
];

/** Why these cannot meet; undefined when they can. */
export const impossibility = (cell) => IMPOSSIBLE.find(({ holds }) => holds(cell))?.reason;
