import { placeIn } from "../cassette/fault.ts";
import { VcrError } from "../errors.ts";
import { jsonFault } from "../protocol/json-fault.ts";
import { memberSpans } from "../protocol/json-spans.ts";

export const MANIFEST = "package.json";

/** What of package.json matters here. */
export interface Manifest {
  readonly text: string;
  /** Whether `.js` files are ES modules. */
  readonly isModule: boolean;
  readonly packageManager: string | undefined;
  /** Version ranges of what it depends on, for development too. */
  readonly dependencies: ReadonlyMap<string, string>;
  readonly scripts: ReadonlyMap<string, string>;
  /** Its own members. */
  readonly keys: readonly string[];
}

const DEPENDENCIES = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];

/** @throws VcrError `usage` with the place where it is no JSON, or holds something else than it should */
export function readManifest(text: string): Manifest {
  const plain = withoutMark(text);
  const fault = jsonFault(plain);
  if (fault) {
    throw new VcrError("usage", `no valid JSON: ${fault.expected} was expected here`, {
      place: placeIn(plain, fault.offset, { file: MANIFEST }),
      hint: "Nothing was written. Mend it, and run mcp-vcr init again.",
    });
  }
  const value: unknown = JSON.parse(plain);
  if (!isObject(value)) throw wrong(plain, undefined, "holds no object");
  const scripts = textsOf(value, "scripts", plain);
  const dependencies = DEPENDENCIES.flatMap((key) => [...textsOf(value, key, plain)]);
  return {
    text,
    isModule: value.type === "module",
    packageManager: typeof value.packageManager === "string" ? value.packageManager : undefined,
    dependencies: new Map(dependencies.reverse()),
    scripts,
    keys: Object.keys(value),
  };
}

function withoutMark(text: string): string {
  return text.replace(/^\ufeff/, "");
}

function textsOf(
  manifest: Readonly<Record<string, unknown>>,
  key: string,
  text: string,
): Map<string, string> {
  const value = manifest[key];
  if (value === undefined) return new Map();
  if (!isObject(value)) throw wrong(text, key, `"${key}" holds no object`);
  const other = Object.entries(value).find(([, each]) => typeof each !== "string");
  if (other) throw wrong(text, key, `"${key}" holds something that is no text: ${JSON.stringify(other[0])}`);
  return new Map(Object.entries(value as Record<string, string>));
}

function wrong(text: string, key: string | undefined, message: string): VcrError {
  const bytes = new TextEncoder().encode(text);
  const start = memberSpans(bytes)?.findLast((member) => member.key === key)?.keyStart ?? 0;
  const offset = new TextDecoder().decode(bytes.subarray(0, start)).length;
  return new VcrError("usage", message, {
    place: placeIn(text, offset, { file: MANIFEST }),
    hint: "Nothing was written. Mend it, and run mcp-vcr init again.",
  });
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
