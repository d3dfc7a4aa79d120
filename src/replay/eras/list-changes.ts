/** Members of a filter for changes of lists, and the capability they belong to. */
export const LIST_CHANGES: Readonly<Record<string, string>> = {
  toolsListChanged: "tools",
  promptsListChanged: "prompts",
  resourcesListChanged: "resources",
};
