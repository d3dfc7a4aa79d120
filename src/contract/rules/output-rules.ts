import { outputs, type Rule } from "./rule.ts";

const TEXT = { type: "string" };

/** What results promise. What was promised must still be promised. */
export const OUTPUT_RULES = {
  "output-required-dropped": {
    layer: "contract",
    classes: ["breaking", "risky"],
    title: "Member of the result may be missing now",
    reason: "Consumers rely on it.",
    example: outputs({ properties: { sky: TEXT }, required: ["sky"] }, { properties: { sky: TEXT } }),
  },
  "output-property-removed": {
    layer: "contract",
    classes: ["breaking", "risky"],
    title: "Member of the result removed",
    reason:
      "Consumers that read it find nothing, or anything. Risky where it was optional and the schema is closed: that breaks no promise.",
    example: outputs({ properties: { sky: TEXT, wind: TEXT } }, { properties: { sky: TEXT } }),
  },
  "output-type-widened": {
    layer: "contract",
    classes: ["breaking", "risky"],
    title: "Result may be of other types now",
    reason: "Consumers were promised that it is not.",
    example: outputs(
      { properties: { degrees: { type: "number" } } },
      { properties: { degrees: { type: ["number", "null"] } } },
    ),
  },
  "output-enum-added": {
    layer: "contract",
    classes: ["risky", "breaking"],
    title: "Result may have other values now",
    reason:
      "Consumers that tell all values apart do not know the new ones. Breaking where none of the old ones is left.",
    example: outputs(
      { properties: { sky: { enum: ["clear", "rain"] } } },
      { properties: { sky: { enum: ["clear", "rain", "snow"] } } },
    ),
  },
  "output-range-widened": {
    layer: "contract",
    classes: ["breaking", "risky"],
    title: "Range of a number in the result widened",
    reason: "Consumers were promised that it stays within.",
    example: outputs(
      { properties: { wind: { type: "number", minimum: 0 } } },
      { properties: { wind: { type: "number" } } },
    ),
  },
  "output-length-widened": {
    layer: "contract",
    classes: ["breaking", "risky"],
    title: "Length of a text in the result widened",
    reason: "Consumers were promised that it stays within.",
    example: outputs({ properties: { sky: { ...TEXT, minLength: 1 } } }, { properties: { sky: TEXT } }),
  },
  "output-pattern-widened": {
    layer: "contract",
    classes: ["breaking", "risky"],
    title: "Pattern of a text in the result changed",
    reason: "Consumers were promised that it matches.",
    example: outputs(
      { properties: { code: { ...TEXT, pattern: "^[A-Z]+$" } } },
      { properties: { code: TEXT } },
    ),
  },
  "output-format-widened": {
    layer: "contract",
    classes: ["risky"],
    title: "Format of a text in the result dropped or changed",
    reason: "Consumers may parse it by that format.",
    example: outputs({ properties: { day: { ...TEXT, format: "date" } } }, { properties: { day: TEXT } }),
  },
  "output-items-widened": {
    layer: "contract",
    classes: ["breaking", "risky"],
    title: "List in the result is held to less",
    reason: "Consumers were promised how many items there are, or that they differ.",
    example: outputs(
      { properties: { days: { type: "array", minItems: 1 } } },
      { properties: { days: { type: "array" } } },
    ),
  },
  "output-members-widened": {
    layer: "contract",
    classes: ["breaking", "risky"],
    title: "Number or names of members in the result are held to less",
    reason: "Consumers were promised how many there are, or how they are named.",
    example: outputs(
      { properties: { by: { type: "object", additionalProperties: TEXT, minProperties: 1 } } },
      { properties: { by: { type: "object", additionalProperties: TEXT } } },
    ),
  },
  "output-property-added": {
    layer: "contract",
    classes: ["risky"],
    title: "Member of the result added",
    reason: "Consumers that check against the old schema refuse it if that is closed, and others ignore it.",
    example: outputs(
      { properties: { sky: TEXT }, additionalProperties: false },
      { properties: { sky: TEXT, wind: TEXT }, additionalProperties: false },
    ),
  },
  "output-opened": {
    layer: "contract",
    classes: ["risky", "breaking"],
    title: "Result may have members that the schema does not name",
    reason:
      "Consumers that check against the old schema refuse them. Breaking in an object that names no members, as maps do.",
    example: outputs(
      { properties: { sky: TEXT }, additionalProperties: false },
      { properties: { sky: TEXT } },
    ),
  },
  "output-dependency-dropped": {
    layer: "contract",
    classes: ["breaking", "risky"],
    title: "Member of the result may come without another now",
    reason: "Consumers were promised both or none.",
    example: outputs(
      { properties: { lat: TEXT, lon: TEXT }, dependentRequired: { lat: ["lon"] } },
      { properties: { lat: TEXT, lon: TEXT } },
    ),
  },
  "output-composition-widened": {
    layer: "contract",
    classes: ["breaking", "risky"],
    title: "Alternatives or conditions of the result widened",
    reason: "Results that fit the new ones may not fit the old.",
    example: outputs(
      { properties: { sky: { ...TEXT, not: { const: "?" } } } },
      { properties: { sky: TEXT } },
    ),
  },
  "output-narrowed": {
    layer: "contract",
    classes: ["compatible"],
    title: "More is promised",
    reason: "What was promised still is.",
    example: outputs({ properties: { sky: TEXT } }, { properties: { sky: TEXT }, required: ["sky"] }),
  },
  "output-words-changed": {
    layer: "contract",
    classes: ["info"],
    title: "Description of a result changed",
    reason: "It is for those who read the schema.",
    example: outputs(
      { properties: { sky: { ...TEXT, description: "Sky" } } },
      { properties: { sky: { ...TEXT, description: "Sky at noon" } } },
    ),
  },
} as const satisfies Readonly<Record<string, Rule>>;
