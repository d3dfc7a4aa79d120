import type { Rule } from "./rule.ts";

const FORECAST = { name: "forecast", inputSchema: { type: "object" } };
const STATIONS = { name: "stations", inputSchema: { type: "object" } };
const HELP = { uri: "weather://help", name: "help" };
const BY_CITY = { uriTemplate: "weather://{city}", name: "weather" };
const GREET = { name: "greet" };

/** Lists as such, and what is on them. */
export const LIST_RULES = {
  "list-unknown": {
    layer: "contract",
    classes: ["info"],
    title: "A list was never asked for",
    reason: "What is not known was not compared: nothing is said about it, neither good nor bad.",
    example: { old: { tools: [FORECAST] }, new: {} },
  },
  "list-partial": {
    layer: "contract",
    classes: ["info"],
    title: "Some pages of a list were never asked for",
    reason: "What is missing may stand on those pages, so it is not called removed or added.",
    example: { old: { tools: [FORECAST, STATIONS] }, new: { tools: [FORECAST], partial: ["tools"] } },
  },
  "list-duplicate": {
    layer: "contract",
    classes: ["risky"],
    title: "A name is listed twice",
    reason:
      "Which one counts differs by client: the first, the last, or none since the whole list is refused.",
    example: { old: { tools: [FORECAST] }, new: { tools: [FORECAST, FORECAST] } },
  },
  "list-endless": {
    layer: "contract",
    classes: ["breaking"],
    title: "The pages of a list have no end",
    reason: "A client that asks for every page never comes to the last one.",
    example: {
      old: { tools: [FORECAST] },
      new: { tools: [FORECAST], pages: { tools: 2 }, endless: ["tools"] },
    },
  },
  "list-order-changed": {
    layer: "session",
    classes: ["compatible"],
    title: "Order of a list changed",
    reason: "Nothing depends on it but the caches of model providers; servers should keep it (2026-07-28).",
    example: { old: { tools: [FORECAST, STATIONS] }, new: { tools: [STATIONS, FORECAST] } },
  },
  "pagination-introduced": {
    layer: "session",
    classes: ["risky"],
    title: "A list now comes in pages",
    reason: "Clients that ignore `nextCursor` lose what stands on later pages.",
    example: {
      old: { tools: [FORECAST, STATIONS] },
      new: { tools: [FORECAST, STATIONS], pages: { tools: 2 } },
    },
  },
  "cache-scope-widened": {
    layer: "session",
    classes: ["risky"],
    title: "A list may now be cached for everybody",
    reason: "What was one user's own may be shown to others, if it still differs by user.",
    example: {
      old: { tools: [FORECAST], cacheScope: "private" },
      new: { tools: [FORECAST], cacheScope: "public" },
    },
  },
  "cache-scope-narrowed": {
    layer: "session",
    classes: ["compatible"],
    title: "A list may no longer be cached for everybody",
    reason: "It is asked for more often.",
    example: {
      old: { tools: [FORECAST], cacheScope: "public" },
      new: { tools: [FORECAST], cacheScope: "private" },
    },
  },
  "tool-removed": {
    layer: "contract",
    classes: ["breaking"],
    title: "Tool removed or renamed",
    reason: "Calls of it are answered with an error.",
    example: { old: { tools: [FORECAST, STATIONS] }, new: { tools: [FORECAST] } },
  },
  "tool-added": {
    layer: "contract",
    classes: ["compatible"],
    title: "Tool added",
    reason: "Old calls work as before; a model may choose it in place of another, and its name may collide.",
    example: { old: { tools: [FORECAST] }, new: { tools: [FORECAST, STATIONS] } },
  },
  "resource-removed": {
    layer: "contract",
    classes: ["breaking"],
    title: "Resource removed, or its URI changed",
    reason: "Reading it is answered with an error.",
    example: { old: { resources: [HELP] }, new: { resources: [] } },
  },
  "resource-added": {
    layer: "contract",
    classes: ["compatible"],
    title: "Resource added",
    reason: "Nobody has read it so far.",
    example: { old: { resources: [] }, new: { resources: [HELP] } },
  },
  "resource-template-removed": {
    layer: "contract",
    classes: ["breaking"],
    title: "Resource template removed, or its URI template changed",
    reason: "URIs made from it are answered with an error.",
    example: { old: { resourceTemplates: [BY_CITY] }, new: { resourceTemplates: [] } },
  },
  "resource-template-added": {
    layer: "contract",
    classes: ["compatible"],
    title: "Resource template added",
    reason: "Nobody has used it so far.",
    example: { old: { resourceTemplates: [] }, new: { resourceTemplates: [BY_CITY] } },
  },
  "prompt-removed": {
    layer: "contract",
    classes: ["breaking"],
    title: "Prompt removed or renamed",
    reason: "Getting it is answered with an error.",
    example: { old: { prompts: [GREET] }, new: { prompts: [] } },
  },
  "prompt-added": {
    layer: "contract",
    classes: ["compatible"],
    title: "Prompt added",
    reason: "Nobody has used it so far.",
    example: { old: { prompts: [] }, new: { prompts: [GREET] } },
  },
} as const satisfies Readonly<Record<string, Rule>>;
