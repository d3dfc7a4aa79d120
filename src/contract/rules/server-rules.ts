import type { Rule } from "./rule.ts";

/** How a server opens, and what it says of itself. */
export const SERVER_RULES = {
  "revision-added": {
    layer: "session",
    classes: ["compatible"],
    title: "Protocol revision added",
    reason: "Clients ask for the revision they want; those of the old one go on as before.",
    example: {
      old: { spoken: ["2025-06-18"], refused: ["2025-11-25"] },
      new: { spoken: ["2025-06-18", "2025-11-25"] },
    },
  },
  "revision-dropped": {
    layer: "session",
    classes: ["breaking", "risky"],
    title: "Protocol revision dropped",
    reason:
      "A client that speaks no other revision cannot connect. Risky where another is left that the server spoke, and in the legacy era where it answers with another, which most clients take; breaking otherwise. A server that answers a question for a later revision with an earlier one than before has dropped that one too.",
    example: {
      old: { spoken: ["2025-11-25"] },
      new: { spoken: ["2025-06-18"], refused: ["2025-11-25"] },
    },
  },
  "era-dropped": {
    layer: "session",
    classes: ["breaking"],
    title: "Era dropped",
    reason:
      "Clients of revisions up to 2025-11-25 open with `initialize` and know nothing else; later ones open without it.",
    example: { old: { spoken: ["2025-11-25"] }, new: { spoken: ["2026-07-28"], refusedEras: ["legacy"] } },
  },
  "era-added": {
    layer: "session",
    classes: ["compatible"],
    title: "Era added",
    reason: "Clients of the other era open as before.",
    example: {
      old: { spoken: ["2025-11-25"], refusedEras: ["modern"] },
      new: { spoken: ["2025-11-25", "2026-07-28"] },
    },
  },
  "capability-removed": {
    layer: "session",
    classes: ["breaking"],
    title: "Capability removed",
    reason: "Its methods answer -32601, and clients no longer ask for what it offers.",
    example: { old: { capabilities: { tools: {}, prompts: {} } }, new: { capabilities: { tools: {} } } },
  },
  "capability-added": {
    layer: "session",
    classes: ["compatible"],
    title: "Capability added",
    reason: "Clients that do not know it do not use it.",
    example: { old: { capabilities: { tools: {} } }, new: { capabilities: { tools: {}, logging: {} } } },
  },
  "capability-option-removed": {
    layer: "session",
    classes: ["risky"],
    title: "Option of a capability removed",
    reason: "Without `listChanged` or `subscribe` a client is not told of changes, and its copy grows stale.",
    example: {
      old: { capabilities: { tools: { listChanged: true } } },
      new: { capabilities: { tools: {} } },
    },
  },
  "capability-option-added": {
    layer: "session",
    classes: ["compatible"],
    title: "Option of a capability added",
    reason: "Clients that do not know it do not use it.",
    example: {
      old: { capabilities: { resources: {} } },
      new: { capabilities: { resources: { subscribe: true } } },
    },
  },
  "extension-removed": {
    layer: "session",
    classes: ["breaking"],
    title: "Extension removed",
    reason: "Its methods answer -32601, and its kinds of result no longer come.",
    example: {
      old: { capabilities: { extensions: { "io.modelcontextprotocol/tasks": {} } } },
      new: { capabilities: {} },
    },
  },
  "extension-added": {
    layer: "session",
    classes: ["compatible"],
    title: "Extension added",
    reason: "It is used only with clients that declare it too.",
    example: {
      old: { capabilities: {} },
      new: { capabilities: { extensions: { "io.modelcontextprotocol/tasks": {} } } },
    },
  },
  "extension-settings-changed": {
    layer: "session",
    classes: ["risky"],
    title: "Settings of an extension changed",
    reason: "What they mean is the extension's own affair.",
    example: {
      old: { capabilities: { extensions: { "com.example/audit": { level: 1 } } } },
      new: { capabilities: { extensions: { "com.example/audit": { level: 2 } } } },
    },
  },
  "instructions-changed": {
    layer: "contract",
    classes: ["risky"],
    title: "Instructions changed",
    reason: "Models read them and may act otherwise; a change that nobody expects can be an attack.",
    example: {
      old: { capabilities: {}, instructions: "Ask for one city at a time." },
      new: { capabilities: {}, instructions: "Ask for all cities at once." },
    },
  },
  "server-info-changed": {
    layer: "session",
    classes: ["info"],
    title: "Name or version of the server changed",
    reason: "It is for display and logs.",
    example: {
      old: { capabilities: {}, serverInfo: { name: "weather", version: "1.0.0" } },
      new: { capabilities: {}, serverInfo: { name: "weather", version: "1.1.0" } },
    },
  },
  "server-unknown": {
    layer: "session",
    classes: ["info"],
    title: "One side never said what it is",
    reason:
      "Without `initialize` or `server/discover`, capabilities and instructions are unknown and were not compared.",
    example: { old: { capabilities: { tools: {} } }, new: {} },
  },
} as const satisfies Readonly<Record<string, Rule>>;
