import { type Rule, tools } from "./rule.ts";

const HELP = { uri: "weather://help", name: "help" };

function resources(before: Record<string, string | number>, after: Record<string, string | number>) {
  return { old: { resources: [{ ...HELP, ...before }] }, new: { resources: [{ ...HELP, ...after }] } };
}

function argument(name: string, required: boolean) {
  return { name, required };
}

function prompts(before: readonly ReturnType<typeof argument>[], after: typeof before) {
  return {
    old: { prompts: [{ name: "greet", arguments: [...before] }] },
    new: { prompts: [{ name: "greet", arguments: [...after] }] },
  };
}

/** What tools, resources, templates and prompts have in common, and the parts of prompts and resources. */
export const MEMBER_RULES = {
  "description-changed": {
    layer: "contract",
    classes: ["risky"],
    title: "Description changed",
    reason: "Models read it and may act otherwise; a change that nobody expects can be an attack.",
    example: tools({ description: "Weather of a city" }, { description: "Weather of a city or a country" }),
  },
  "title-changed": {
    layer: "contract",
    classes: ["compatible"],
    title: "Title or display name changed",
    reason: "It is for display.",
    example: tools({ title: "Forecast" }, { title: "Weather forecast" }),
  },
  "icons-changed": {
    layer: "contract",
    classes: ["compatible"],
    title: "Icons changed",
    reason: "They are for display.",
    example: tools({}, { icons: [{ src: "https://example.com/sun.png" }] }),
  },
  "meta-changed": {
    layer: "contract",
    classes: ["info"],
    title: "Metadata or a member that no revision knows changed",
    reason: "What it means is the server's own affair.",
    example: tools({}, { _meta: { "com.example/team": "sky" } }),
  },
  "mime-type-changed": {
    layer: "contract",
    classes: ["risky"],
    title: "MIME type changed",
    reason: "Clients decode what they read by it.",
    example: resources({ mimeType: "text/plain" }, { mimeType: "text/markdown" }),
  },
  "resource-facts-changed": {
    layer: "contract",
    classes: ["info"],
    title: "Size or annotations of a resource changed",
    reason: "They describe what it holds at the moment.",
    example: resources({ size: 10 }, { size: 12 }),
  },
  "prompt-argument-required-added": {
    layer: "contract",
    classes: ["breaking"],
    title: "Required argument of a prompt added",
    reason: "Who gets the prompt as before is answered with an error.",
    example: prompts([], [argument("city", true)]),
  },
  "prompt-argument-made-required": {
    layer: "contract",
    classes: ["breaking"],
    title: "Argument of a prompt became required",
    reason: "Who gets the prompt without it is answered with an error.",
    example: prompts([argument("city", false)], [argument("city", true)]),
  },
  "prompt-argument-made-optional": {
    layer: "contract",
    classes: ["compatible"],
    title: "Argument of a prompt became optional",
    reason: "Who gives it may go on doing so.",
    example: prompts([argument("city", true)], [argument("city", false)]),
  },
  "prompt-argument-added": {
    layer: "contract",
    classes: ["compatible"],
    title: "Optional argument of a prompt added",
    reason: "Who does not give it gets what there was.",
    example: prompts([], [argument("city", false)]),
  },
  "prompt-argument-removed": {
    layer: "contract",
    classes: ["risky"],
    title: "Argument of a prompt removed",
    reason: "It is refused, or silently ignored.",
    example: prompts([argument("city", false)], []),
  },
} as const satisfies Readonly<Record<string, Rule>>;
