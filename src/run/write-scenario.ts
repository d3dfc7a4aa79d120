import { existsSync, writeFileSync } from "node:fs";
import { member } from "../cassette/yaml/emit.ts";
import { VcrError } from "../errors.ts";
import type { JsonObject, JsonValue } from "../protocol/message.ts";
import { Recording } from "../replay/recording.ts";
import { AjvSchemas } from "../scenario/ajv/ajv-schemas.ts";
import { DIALECTS } from "../scenario/dialects.ts";
import { documentOf, type Written } from "../scenario/record/document-of.ts";
import { CassetteSource } from "./cassette-source.ts";
import { warn } from "./notices.ts";

/**
 * Writes the scenario that answers as a cassette does: into a new file, or on stdout where none is named.
 * @throws VcrError when the cassette cannot be read, or the file is there already
 */
export async function writeScenario(cassette: string, output: string | undefined): Promise<void> {
  const { document, notices } = await documentOfCassette(cassette);
  const text = `# What ${cassette} answers. See docs/scenarios.md of mcp-vcr.\n${yamlOf(document)}`;
  for (const notice of notices) warn(notice);
  if (output === undefined) process.stdout.write(text);
  else writeNew(output, text);
}

/** A cassette, as the scenario that answers as it does. */
export async function documentOfCassette(cassette: string): Promise<Written> {
  const recording = new Recording(await CassetteSource.open(cassette, warn), warn);
  return documentOf(recording, await new AjvSchemas(new Set(DIALECTS)).load());
}

function writeNew(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: "wx" });
  } catch (cause) {
    const exists = existsSync(file);
    const why = exists ? "exists already" : `cannot be written: ${(cause as Error).message}`;
    throw new VcrError("usage", `${file} ${why}`, {
      hint: exists ? "Choose another file with -o: somebody may have edited this one." : undefined,
      cause,
    });
  }
}

/** Items of the lists stand apart. */
function yamlOf(document: JsonObject): string {
  return Object.entries(document)
    .map(([key, value]) => (isListOfObjects(value) ? listText(key, value) : member(key, value)))
    .join("");
}

function isListOfObjects(value: JsonValue): value is JsonObject[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((item) => typeof item === "object" && item !== null)
  );
}

function listText(key: string, items: readonly JsonObject[]): string {
  const texts = items.map((item) => {
    const lines = Object.entries(item).map(([name, value]) => member(name, value));
    return lines
      .join("")
      .replaceAll(/^(?=.)/gm, "    ")
      .replace("    ", "  - ");
  });
  return `\n${key}:\n${texts.join("\n")}`;
}
