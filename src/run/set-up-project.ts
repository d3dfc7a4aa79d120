import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { VcrError } from "../errors.ts";
import type { KnownServer } from "../setup/client-config.ts";
import type { Step } from "../setup/plan.ts";
import type { Folder } from "../setup/project.ts";
import { unwritable } from "./cassette-open.ts";
import { openRedactor } from "./redaction.ts";
import { writeBeside } from "./write-beside.ts";

/** A folder on disk. @throws VcrError `usage` for a file that is there and cannot be read */
export function folderOnDisk(root: string): Folder {
  return {
    text: (path) => textOf(join(root, path)),
    names: foldersUpwards(root).map(namesIn),
  };
}

function textOf(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new VcrError("usage", `cannot be read: ${(cause as Error).message}`, { place: { file }, cause });
  }
}

/** None where the folder may not be looked into. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The folder and those above it, up to the root of the repository. */
function foldersUpwards(root: string): string[] {
  const folders: string[] = [];
  for (let at = resolve(root); ; at = dirname(at)) {
    folders.push(at);
    if (existsSync(join(at, ".git"))) return folders;
    // Outside of a repository nothing above belongs to the project.
    if (at === dirname(at)) return folders.slice(0, 1);
  }
}

/** Whether recording would take a credential out of its command or URL. */
export function holdsSecret({ reach }: KnownServer): boolean {
  const redactor = openRedactor();
  if ("url" in reach) return redactor.url(reach.url) !== reach.url;
  return redactor.command(reach.command).some((word, at) => word !== reach.command[at]);
}

/** The example cassette: beside the built command, or beside the sources. */
export function exampleText(): string {
  // The command is CommonJS, where this is a path.
  const url: string = import.meta.url;
  const here = dirname(url.startsWith("file:") ? fileURLToPath(url) : url);
  const built = join(here, "example");
  return readFileSync(
    join(existsSync(built) ? built : join(here, "../setup/example"), "example.yaml"),
    "utf8",
  );
}

/**
 * Does what one step says.
 * @throws VcrError `usage` where the file cannot be written, or came to be there meanwhile
 */
export function carryOut(root: string, step: Step): void {
  if (step.kind === "leave") return;
  const file = join(root, step.path);
  if (step.kind === "change") {
    writeBeside(file, (sink) => {
      sink.text(step.text);
      return true;
    });
    return;
  }
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, step.text, { flag: "wx" });
  } catch (error) {
    throw unwritable(step.path, error);
  }
}
