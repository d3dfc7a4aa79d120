import { memberAt } from "../../protocol/member.ts";
import type { JsonObject, JsonValue } from "../../protocol/message.ts";
import { isObject } from "../matcher.ts";
import type { Ask } from "../model.ts";
import type { Client } from "./asked.ts";
import type { RpcError } from "./settled.ts";
import { MISSING_CAPABILITY } from "./speech.ts";

const ELICITATION = "2025-06-18";
/** Elicitation by URL, choices of several and with titles, tools in sampling (2025-11-25 changelog). */
const MODES = "2025-11-25";

/** Something that a question may have, and the revision that brought it. */
interface Feature {
  readonly what: string;
  readonly since: string;
  readonly isIn: (ask: Ask) => boolean;
}

const FEATURES: readonly Feature[] = [
  { what: "elicitation", since: ELICITATION, isIn: ({ method }) => method === "elicitation/create" },
  { what: "elicitation.url", since: MODES, isIn: isByUrl },
  { what: "sampling.tools", since: MODES, isIn: usesTools },
  {
    what: "a choice of several (type: array)",
    since: MODES,
    isIn: (ask) => fieldsOf(ask).some((field) => memberAt(field, "type") === "array"),
  },
  {
    what: "a choice with titles (oneOf)",
    since: MODES,
    isIn: (ask) => fieldsOf(ask).some((field) => memberAt(field, "oneOf") !== undefined),
  },
];

/** What a question asks for that a revision does not have. */
export function unknownIn(ask: Ask, version: string): string | undefined {
  return FEATURES.find(({ since, isIn }) => version < since && isIn(ask))?.what;
}

function isByUrl({ method, params }: Ask): boolean {
  return method === "elicitation/create" && params.mode === "url";
}

function usesTools({ method, params }: Ask): boolean {
  return (
    method === "sampling/createMessage" && (params.tools !== undefined || params.toolChoice !== undefined)
  );
}

function fieldsOf({ params }: Ask): readonly JsonValue[] {
  const properties = memberAt(params, "requestedSchema", "properties");
  return isObject(properties) ? Object.values(properties) : [];
}

/** What a client must declare to be asked this, as a path of members. */
export function requiredFor(ask: Ask): readonly string[] {
  switch (ask.method) {
    case "elicitation/create":
      return ["elicitation", isByUrl(ask) ? "url" : "form"];
    case "sampling/createMessage":
      return usesTools(ask) ? ["sampling", "tools"] : ["sampling"];
    case "roots/list":
      return ["roots"];
  }
}

/** Elicitation without a mode is by form (2025-11-25 client/elicitation). */
export function isDeclared(path: readonly string[], { capabilities }: Pick<Client, "capabilities">): boolean {
  const [name = "", part] = path;
  const declared = memberAt(capabilities, name);
  if (!isObject(declared)) return false;
  if (part === "form") return isObject(declared.form) || declared.url === undefined;
  return part === undefined || isObject(declared[part]);
}

/** The error for a client that does not declare what its request needs (2026-07-28). */
export function missingCapability(path: readonly string[]): RpcError {
  const requiredCapabilities = path.reduceRight<JsonObject>((within, name) => ({ [name]: within }), {});
  return {
    code: MISSING_CAPABILITY,
    message: `Missing required client capability: ${path.join(".")}`,
    data: { requiredCapabilities },
  };
}

/** `{ elicitation: { url: … } }` */
export function nested(path: readonly string[], inner: string): string {
  return path.reduceRight((within, name) => `{ ${name}: ${within} }`, inner);
}
