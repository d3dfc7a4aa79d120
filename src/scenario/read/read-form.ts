import type { Members, Shape } from "../../cassette/written/shape.ts";
import type { Tree } from "../../cassette/written/tree.ts";

type Check = (tree: Tree, key: string, shape: Shape) => void;

/** What comes of a template is known when it is asked. */
function unlessTemplate(check: Check): Check {
  return (tree, key, shape) => {
    if (tree.kind === "scalar" && typeof tree.value === "string" && tree.value.includes("${")) return;
    check(tree, key, shape);
  };
}

const text = unlessTemplate((tree, key, shape) => void shape.text(tree, key));
const number = unlessTemplate((tree, key, shape) => void shape.number(tree, key));
const count = unlessTemplate((tree, key, shape) => void shape.whole(tree, key, 0));
const yesOrNo = unlessTemplate((tree, key, shape) => void shape.yesOrNo(tree, key));
const texts = unlessTemplate((tree, key, shape) => {
  const items = shape.list(tree, key);
  for (const item of items) text(item, `an item of ${key}`, shape);
});

const titled = unlessTemplate((tree, key, shape) => {
  for (const item of shape.list(tree, key)) {
    const members = shape.members(item, {
      what: `an item of ${key}`,
      allowed: ["const", "title"],
      required: ["const", "title"],
    });
    for (const [name, value] of members) text(value, name, shape);
  }
});

const format: Check = (tree, key, shape) =>
  void shape.oneOf(tree, ["date", "date-time", "email", "uri"], key);

const choices: Check = (tree, key, shape) => {
  const members = shape.members(tree, { what: key, allowed: ["type", "enum", "anyOf"] });
  const [given, second] = ["enum", "anyOf"].filter((name) => members.has(name));
  if (given === undefined || second !== undefined)
    throw shape.fault(tree.at, "items has the choices, as enum: or, with titles, as anyOf:");
  const type = members.get("type");
  if (type) shape.oneOf(type, ["string"], "type");
  else if (given === "enum") throw shape.fault(tree.at, "items lacks type: string");
  (given === "enum" ? texts : titled)(members.get(given) as Tree, given, shape);
};

const ANY: Readonly<Record<string, Check>> = {
  type: () => undefined,
  title: text,
  description: text,
};

const NUMBER = { ...ANY, minimum: number, maximum: number, default: number };

/** Fields of a form, by their type (2025-11-25 schema, PrimitiveSchemaDefinition; `pattern` is in client/elicitation). */
const FIELDS: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  string: {
    ...ANY,
    minLength: count,
    maxLength: count,
    pattern: text,
    format,
    default: text,
    enum: texts,
    enumNames: texts,
    oneOf: titled,
  },
  number: NUMBER,
  integer: NUMBER,
  boolean: { ...ANY, default: yesOrNo },
  array: { ...ANY, minItems: count, maxItems: count, items: choices, default: texts },
};

/** What is asked for in a form: a flat object of text, numbers, yes or no, and choices (client/elicitation). */
export function checkForm(tree: Tree, shape: Shape): void {
  const allowed = ["$schema", "type", "properties", "required"];
  const members = shape.members(tree, { what: "requestedSchema", allowed, required: ["type", "properties"] });
  shape.oneOf(members.get("type") as Tree, ["object"], "type");
  const properties = members.get("properties") as Tree;
  if (properties.kind !== "map")
    throw shape.fault(properties.at, "properties must be a mapping of names to fields");
  for (const { key, value } of properties.members) checkField(key, value, shape);
  checkRequired(
    members,
    properties.members.map(({ key }) => key),
    shape,
  );
}

function checkField(name: string, tree: Tree, shape: Shape): void {
  const typed = tree.kind === "map" ? tree.members.find(({ key }) => key === "type")?.value : undefined;
  const what = `the field ${name}`;
  if (!typed)
    throw shape.fault(tree.at, `${what} lacks type:`, `It has one of ${Object.keys(FIELDS).join(", ")}.`);
  if (typed.kind === "scalar" && typed.value === "object") {
    throw shape.fault(
      typed.at,
      `${what} is an object, and a form is flat`,
      "Make each of its members a field.",
    );
  }
  const type = shape.oneOf(typed, Object.keys(FIELDS), "type");
  const checks = FIELDS[type] as Readonly<Record<string, Check>>;
  const required = type === "array" ? ["items"] : [];
  for (const [key, value] of shape.members(tree, { what, allowed: Object.keys(checks), required }))
    (checks[key] as Check)(value, key, shape);
}

function checkRequired(members: Members, names: readonly string[], shape: Shape): void {
  const required = members.get("required");
  if (!required) return;
  for (const item of shape.list(required, "required")) {
    const name = shape.text(item, "an item of required");
    if (!names.includes(name)) throw shape.fault(item.at, `required: there is no field ${name}`);
  }
}
