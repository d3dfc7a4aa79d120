import { pathToFileURL } from "node:url";
import { VcrError } from "../errors.ts";

/**
 * The default export of a JavaScript or TypeScript file. TypeScript is read by Node itself, which can from 22.18 on
 * (https://nodejs.org/api/typescript.html), or by a loader that the user has registered.
 * @throws VcrError `usage`
 */
export async function loadModule(file: string): Promise<unknown> {
  const module = await importModule(file);
  if (Object.hasOwn(module, "default")) return module.default;
  throw new VcrError("usage", "there is no default export", {
    place: { file },
    hint: "Write export default defineConfig({ … }).",
  });
}

async function importModule(file: string): Promise<{ readonly default?: unknown }> {
  try {
    return await import(pathToFileURL(file).href);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ERR_UNKNOWN_FILE_EXTENSION" && file.endsWith(".ts")) {
      throw new VcrError("usage", `Node ${process.versions.node} does not read TypeScript`, {
        place: { file },
        hint: TYPESCRIPT_HINT,
        cause,
      });
    }
    throw new VcrError("usage", `it cannot be loaded: ${reasonOf(cause)}`, { place: { file }, cause });
  }
}

const TYPESCRIPT_HINT = `Use Node 22.18 or later; or name it mcp-vcr.config.mjs and take the types out (with
/** @type {import("mcp-vcr").Config} */ before it, editors check it all the same); or register a loader, such as
NODE_OPTIONS="--import tsx".`;

function reasonOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
