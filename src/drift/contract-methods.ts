/** Methods whose results are the contract. */
export const CONTRACT_METHODS: ReadonlySet<string | undefined> = new Set([
  "initialize",
  "server/discover",
  "tools/list",
  "resources/list",
  "resources/templates/list",
  "prompts/list",
]);
