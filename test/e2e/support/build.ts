import { execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const SOURCES = ["src", "package.json", "build.mjs", "build"];

/** Builds the command before the end-to-end tests where it is missing or older than its sources. */
export default function setup(): void {
  const built = timeOf("dist/cli.cjs");
  if (built !== undefined && SOURCES.every((path) => newestOf(path) <= built)) return;
  execFileSync(process.execPath, [join(ROOT, "build.mjs")], { cwd: ROOT, stdio: "inherit" });
}

function timeOf(path: string): number | undefined {
  return statSync(join(ROOT, path), { throwIfNoEntry: false })?.mtimeMs;
}

function newestOf(path: string): number {
  const full = join(ROOT, path);
  if (!statSync(full).isDirectory()) return statSync(full).mtimeMs;
  const names = readdirSync(full, { recursive: true, encoding: "utf8" });
  return Math.max(...names.map((name) => statSync(join(full, name)).mtimeMs));
}
