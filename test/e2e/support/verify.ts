import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { CLI, fixture, NODE, run } from "./program.ts";
import { type Era, everyday, record } from "./walk.ts";

/** A report of `verify --format json`, its exit code and its stderr. */
export interface Reported {
  readonly code: number | null;
  readonly stderr: string;
  readonly verdict: string;
  readonly changes: readonly { readonly rule: string; readonly class: string; readonly subject: string }[];
  readonly compared: Readonly<Record<string, number>>;
  readonly withheld: readonly { readonly subject: string; readonly reason: string }[];
  readonly notes: readonly string[];
}

const NOTHING = { verdict: "none", changes: [], compared: {}, withheld: [], notes: [] };

/** A server to verify at. */
export interface At {
  /** A Node program over stdio, or a URL. */
  readonly server: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export async function verify(
  file: string,
  at: At | readonly string[],
  ...flags: string[]
): Promise<Reported> {
  const { server, env = {} } = "server" in at ? at : { server: at };
  const way = server[0]?.startsWith("http") ? ["--url", server[0]] : ["--", NODE, ...server];
  const all = ["verify", file, "--format", "json", ...flags, ...way];
  const { code, stdout, stderr } = await run([CLI, ...all], { env });
  if (stdout.length === 0) return { ...NOTHING, code, stderr };
  const { comparisons, ...drift } = JSON.parse(stdout.toString());
  return { ...drift, code, stderr, changes: comparisons[0].changes };
}

/** What changed, as `breaking tool-removed`. */
export const ruled = ({ changes }: Reported): string[] =>
  changes.map(({ rule, class: each }) => `${each} ${rule}`);

/** A folder with a recording of the everyday server in each era, `legacy.yaml` and `modern.yaml`, for all tests of a file. */
export function recordedFolder(): { path: (name: string) => string; verify: typeof verify } {
  let folder = "";
  const path = (name: string) => join(folder, name);
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "mcp-vcr-verify-"));
    for (const era of ["legacy", "modern"] as const) {
      const steps = ["--drive", fixture("drives/verified.yaml"), "--era", era];
      const args = record(path(`${era}.yaml`), everyday(era, "stdio"), ...steps);
      execFileSync(NODE, args, { stdio: "pipe" });
    }
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return { path, verify: (name, ...how) => verify(path(name), ...how) };
}

/** The everyday server over stdio, as a later version of itself: see its `--change`. */
export function later(era: Era, ...changes: readonly string[]): string[] {
  return [...everyday(era, "stdio"), ...changes.flatMap((change) => ["--change", change])];
}
