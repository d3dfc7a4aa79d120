import { CLI, NODE, run } from "./program.ts";

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
