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
  /** Names of its members. */
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
  if (value.scripts !== undefined && !isObject(value.scripts))
    throw wrong(plain, "scripts", '"scripts" holds no object');
  const dependencies = DEPENDENCIES.flatMap((key) => [...textsIn(value[key])]);
  return {
    text,
    isModule: value.type === "module",
    packageManager: typeof value.packageManager === "string" ? value.packageManager : undefined,
    dependencies: new Map(dependencies.toReversed()),
    scripts: new Map(textsIn(value.scripts)),
    keys: Object.keys(value),
  };
}

function withoutMark(text: string): string {
  return text.replace(/^\ufeff/, "");
}

function textsIn(value: unknown): [string, string][] {
  const members = isObject(value) ? Object.entries(value) : [];
  return members.filter((member): member is [string, string] => typeof member[1] === "string");
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
