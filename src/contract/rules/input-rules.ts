import { inputs, type Rule, tools } from "./rule.ts";

const CITY = { type: "string" };

/** What callers may send. What was accepted must still be accepted. */
export const INPUT_RULES = {
  "input-required-added": {
    layer: "contract",
    classes: ["breaking", "risky"],
    title: "Argument is required now",
    reason:
      "Calls without it were accepted. Risky where it has a default, which most servers fill in all the same.",
    example: inputs({ properties: { city: CITY } }, { properties: { city: CITY }, required: ["city"] }),
  },
  "input-type-narrowed": {
    layer: "contract",
    classes: ["breaking", "risky"],
    title: "Argument no longer takes some types",
    reason: "Calls with values of those types were accepted.",
    example: inputs(
      { properties: { day: { type: "number" } } },
      { properties: { day: { type: "integer" } } },
    ),
  },
  "input-enum-narrowed": {
    layer: "contract",
    classes: ["breaking", "risky"],
    title: "Argument no longer takes some values",
    reason: "Calls with those values were accepted.",
    example: inputs(
      { properties: { unit: { enum: ["C", "F", "K"] } } },
      { properties: { unit: { enum: ["C", "F"] } } },
    ),
  },
  "input-range-narrowed": {
    layer: "contract",
    classes: ["breaking", "risky"],
    title: "Range of a number narrowed",
    reason: "Calls with numbers outside were accepted.",
    example: inputs(
      { properties: { days: { type: "integer", maximum: 14 } } },
      { properties: { days: { type: "integer", maximum: 7 } } },
    ),
  },
  "input-length-narrowed": {
    layer: "contract",
    classes: ["breaking", "risky"],
    title: "Length of a text narrowed",
    reason: "Calls with shorter or longer texts were accepted.",
    example: inputs({ properties: { city: CITY } }, { properties: { city: { ...CITY, minLength: 1 } } }),
  },
  "input-pattern-narrowed": {
    layer: "contract",
    classes: ["breaking", "risky"],
    title: "Pattern of a text changed",
    reason: "Calls with texts that do not match were accepted.",
    example: inputs({ properties: { city: CITY } }, { properties: { city: { ...CITY, pattern: "^[A-Z]" } } }),
  },
  "input-format-narrowed": {
    layer: "contract",
    classes: ["risky", "breaking"],
    title: "Format of a text added or changed",
    reason: "Some validators check formats and some do not. Breaking where a recorded call fails.",
    example: inputs({ properties: { day: CITY } }, { properties: { day: { ...CITY, format: "date" } } }),
  },
  "input-items-narrowed": {
    layer: "contract",
    classes: ["breaking", "risky"],
    title: "List is held to more",
    reason: "Calls with fewer, more, repeated or other items were accepted.",
    example: inputs(
      { properties: { cities: { type: "array", items: CITY } } },
      { properties: { cities: { type: "array", items: CITY, maxItems: 5 } } },
    ),
  },
  "input-members-narrowed": {
    layer: "contract",
    classes: ["breaking", "risky"],
    title: "Number or names of members are held to more",
    reason: "Calls with fewer, more or otherwise named members were accepted.",
    example: inputs(
      { properties: { labels: { type: "object", additionalProperties: CITY } } },
      { properties: { labels: { type: "object", additionalProperties: CITY, maxProperties: 3 } } },
    ),
  },
  "input-property-removed": {
    layer: "contract",
    classes: ["breaking", "risky"],
    title: "Argument removed",
    reason:
      "Where the schema is closed, calls with it are refused; where it is open, it is silently ignored.",
    example: inputs(
      { properties: { city: CITY, unit: CITY } },
      { properties: { city: CITY }, additionalProperties: false },
    ),
  },
  "input-closed": {
    layer: "contract",
    classes: ["risky", "breaking"],
    title: "Arguments that the schema does not name are refused, or held to something",
    reason:
      "Callers should not send them, but could. Breaking where a recorded call fails, and in an object that names no members, as maps do.",
    example: inputs(
      { properties: { city: CITY } },
      { properties: { city: CITY }, additionalProperties: false },
    ),
  },
  "input-dependency-added": {
    layer: "contract",
    classes: ["breaking", "risky"],
    title: "Argument now needs another",
    reason: "Calls with the one and without the other were accepted.",
    example: inputs(
      { properties: { lat: { type: "number" }, lon: { type: "number" } } },
      {
        properties: { lat: { type: "number" }, lon: { type: "number" } },
        dependentRequired: { lat: ["lon"] },
      },
    ),
  },
  "input-composition-narrowed": {
    layer: "contract",
    classes: ["breaking", "risky"],
    title: "Alternatives or conditions narrowed",
    reason: "Calls that fit the old ones may not fit the new.",
    example: inputs(
      { properties: { day: CITY } },
      { properties: { day: { ...CITY, not: { const: "never" } } } },
    ),
  },
  "input-required-dropped": {
    layer: "contract",
    classes: ["compatible"],
    title: "Argument is no longer required",
    reason: "Calls with it are accepted as before.",
    example: inputs({ properties: { city: CITY }, required: ["city"] }, { properties: { city: CITY } }),
  },
  "input-property-added": {
    layer: "contract",
    classes: ["compatible"],
    title: "Optional argument added",
    reason: "Calls without it are accepted as before.",
    example: inputs({ properties: { city: CITY } }, { properties: { city: CITY, unit: CITY } }),
  },
  "input-widened": {
    layer: "contract",
    classes: ["compatible"],
    title: "More is accepted",
    reason: "What was accepted still is.",
    example: inputs(
      { properties: { city: { type: "string" } } },
      { properties: { city: { type: ["string", "null"] } } },
    ),
  },
  "input-default-changed": {
    layer: "contract",
    classes: ["risky"],
    title: "Default of an argument changed",
    reason:
      "Calls that leave it out may now do something else. Of what every call had to give it is not told.",
    example: inputs(
      { properties: { days: { type: "integer", default: 3 } } },
      { properties: { days: { type: "integer", default: 7 } } },
    ),
  },
  "parameter-description-changed": {
    layer: "contract",
    classes: ["risky"],
    title: "Description of an argument changed",
    reason: "Models read it and may send something else; a change that nobody expects can be an attack.",
    example: inputs(
      { properties: { city: { type: "string", description: "City" } } },
      { properties: { city: { type: "string", description: "City, or where you are" } } },
    ),
  },
  "schema-dialect-changed": {
    layer: "contract",
    classes: ["risky", "info"],
    title: "Dialect of a schema changed",
    reason: "Validators that know only one of them refuse the other. Info where one side names none.",
    example: tools(
      { inputSchema: { $schema: "http://json-schema.org/draft-07/schema#", type: "object" } },
      { inputSchema: { $schema: "https://json-schema.org/draft/2020-12/schema", type: "object" } },
    ),
  },
  "schema-reference-outside": {
    layer: "contract",
    classes: ["risky"],
    title: "Schema refers to something outside itself",
    reason: "Clients need not fetch it, and must not without care; then they cannot check anything.",
    example: inputs(
      { properties: { city: CITY } },
      { properties: { city: { $ref: "https://example.com/city.json" } } },
    ),
  },
  "schema-unreadable": {
    layer: "contract",
    classes: ["risky"],
    title: "Schema is none that a validator takes",
    reason: "Clients that check against it fail.",
    example: inputs({ properties: { city: CITY } }, { properties: { city: { type: "text" } } }),
  },
} as const satisfies Readonly<Record<string, Rule>>;
