import { basename } from "node:path";
import { cosmiconfig, type Loader } from "cosmiconfig";
import { load, YAMLException } from "js-yaml";
import { placeIn } from "../cassette/fault.ts";
import { VcrError } from "../errors.ts";
import { jsonFault } from "../protocol/json-fault.ts";
import { MODULE, SEARCH_PLACES } from "./find-config.ts";
import { loadModule } from "./load-module.ts";
import { shownPath } from "./shown-path.ts";

/** A configuration as it was written, not yet checked. */
export interface Written {
  readonly value: unknown;
  /** As messages name it. */
  readonly file: string;
  /** The file's text, where the value's members have places in it. */
  readonly text: string | undefined;
  /** Where in the file the configuration stands. */
  readonly inside: readonly string[];
}

/** @throws VcrError `usage` when it cannot be read, or is not written as its ending says */
export async function readConfig(path: string): Promise<Written> {
  let text: string | undefined;
  const kept =
    (parse: (text: string, file: string) => unknown): Loader =>
    (at, content) => {
      if (at === path) text = content;
      return parse(content, shownPath(at));
    };
  const json = kept(parseJson);
  const yaml = kept(parseYaml);
  const modules = Object.fromEntries([".ts", ".js", ".mjs", ".cjs"].map((ending) => [ending, loadModule]));
  const explorer = cosmiconfig(MODULE, {
    searchPlaces: [...SEARCH_PLACES],
    loaders: { ...modules, ".json": json, ".yaml": yaml, ".yml": yaml, noExt: yaml },
    cache: false,
  });
  const file = shownPath(path);
  const found = await explorer.load(path).catch((error: unknown) => {
    throw error instanceof VcrError ? error : unreadable(file, error);
  });
  const inside = basename(path) === "package.json" ? [MODULE] : [];
  return { value: found?.config ?? {}, file, text, inside };
}

function parseJson(text: string, file: string): unknown {
  const plain = text.replace(/^\ufeff/, "");
  const fault = jsonFault(plain);
  if (fault) {
    const place = placeIn(plain, fault.offset, { file });
    throw new VcrError("usage", `no valid JSON: ${fault.expected} was expected here`, { place });
  }
  return JSON.parse(plain);
}

/** The last line that begins a document: js-yaml tells no place where there is more than one. */
const SECOND_DOCUMENT = /^---(?![\s\S]*^---(?:\s|$))(?=\s|$)/m;

function parseYaml(text: string, file: string): unknown {
  try {
    return load(text);
  } catch (cause) {
    if (!(cause instanceof YAMLException)) throw cause;
    const at = cause.mark?.position ?? text.match(SECOND_DOCUMENT)?.index;
    const place = at === undefined ? { file } : placeIn(text, at, { file });
    throw new VcrError("usage", `no valid YAML: ${cause.reason}`, { place, cause });
  }
}

function unreadable(file: string, cause: unknown): VcrError {
  const missing = (cause as NodeJS.ErrnoException).code === "ENOENT";
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new VcrError("usage", missing ? "there is no such file" : reason, { place: { file }, cause });
}
