import type { Finding } from "../check/finding.ts";
import type { Entry, Header } from "../exchange/entry.ts";
import type { Path } from "../protocol/conformity/shape.ts";
import { diffJson } from "../protocol/json-diff.ts";
import { type JsonValue, textOf } from "../protocol/message.ts";
import type { Redactor } from "../redact/redactor.ts";
import { EntryRedactor, redactedSource } from "./redact-entry.ts";

/** Finds what redaction would take out, without ever saying it. */
export class SecretFinder {
  readonly #redactor: Redactor;
  readonly #redact: EntryRedactor;
  readonly #struck: string[];

  /** @param struck where the redactor notes the rules that struck */
  constructor(redactor: Redactor, struck: string[]) {
    this.#redactor = redactor;
    this.#redact = new EntryRedactor(redactor);
    this.#struck = struck;
  }

  findings(entry: Entry, ordinal: number): Finding[] {
    this.#struck.length = 0;
    const clean = this.#redact.redact(entry);
    if (clean === entry) return [];
    return pathsOf(entry, clean).map((path) => this.#finding(ordinal, path, `at ${path.join("/")}`));
  }

  /** What a header says of the server. */
  inHeader({ source }: Header): Finding[] {
    this.#struck.length = 0;
    const clean = redactedSource(source, this.#redactor);
    if (JSON.stringify(clean) === JSON.stringify({ ...source })) return [];
    return [this.#finding(-1, ["source"], "in the source of the header")];
  }

  #finding(ordinal: number, path: Path, where: string): Finding {
    const rules = [...new Set(this.#struck)].join(", ");
    return {
      rule: "secret",
      ordinal,
      path,
      message: `a credential stands ${where} (found by: ${rules || "command"})`,
      hint: "Take it out with mcp-vcr redact, and make it void: whoever has the file has it.",
    };
  }
}

/** The members of an entry that redaction changes. */
function pathsOf(entry: Entry, clean: Entry): Path[] {
  const paths: Path[] = [];
  for (const { pointer } of diffJson(factsOf(entry), factsOf(clean)))
    paths.push(["http", ...partsOf(pointer)]);
  const { body } = entry;
  if (body && clean.body?.bytes !== body.bytes) paths.push(...inBody(body, clean.body?.bytes));
  return paths;
}

function inBody({ form, bytes }: NonNullable<Entry["body"]>, clean: Uint8Array | undefined): Path[] {
  if (form !== "message" || !clean) return [[form]];
  const differences = diffJson(JSON.parse(textOf(bytes)), JSON.parse(textOf(clean)));
  // Of a key that is a secret only the addition may be told.
  return differences.map(({ pointer, kind }) => [form, ...(kind === "changed" ? partsOf(pointer) : [])]);
}

function factsOf({ http }: Entry): JsonValue {
  return JSON.parse(JSON.stringify(http ?? {})) as JsonValue;
}

function partsOf(pointer: string): Path {
  const parts = pointer.split("/").slice(1);
  return parts.map((part) => {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    return /^(0|[1-9]\d*)$/.test(name) ? Number(name) : name;
  });
}
