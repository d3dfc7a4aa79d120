import { readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { Git } from "./git.ts";

/** A cassette in a revision and in the working tree. Paths are as a person in the working directory writes them. */
export interface BaseCassette {
  /** Undefined where it is new. */
  readonly old: string | undefined;
  /** Undefined where it is gone. */
  readonly new: string | undefined;
  /** Byte for byte the same. */
  readonly same: boolean;
  /** The old bytes; of a new one there are none. */
  readonly before: () => Promise<Uint8Array>;
}

/** Paths from the root of the repository. */
interface Move {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly same: boolean;
}

/**
 * The cassettes of files and folders, in a revision and now, renamed ones as one.
 * @param paths as git takes them
 * @throws VcrError `usage` where git cannot tell
 */
export async function baseCassettes(
  cwd: string,
  revision: string,
  paths: readonly string[],
): Promise<BaseCassette[]> {
  const git = new Git(cwd);
  const root = await git.line("rev-parse", "--show-toplevel");
  const commit = await git.commit(revision);
  const scope = ["--", ...paths];
  const tracked = await git.fields("ls-files", "-z", "--full-name", ...scope);
  const others = await git.fields(
    "ls-files",
    "-z",
    "--full-name",
    "--others",
    "--exclude-standard",
    ...scope,
  );
  const moves = movesIn(await git.fields("diff", "--name-status", "-z", "-M", commit, ...scope));
  const moved = new Set(moves.flatMap(({ from, to }) => [from, to]));
  const old = (path: string) => git.output("show", `${commit}:${path}`);
  const all = [
    ...tracked.filter((path) => !moved.has(path)).map((path): Move => ({ from: path, to: path, same: true })),
    ...moves,
    ...others.map((to): Move => ({ from: undefined, to, same: false })),
  ].filter(({ from, to }) => isCassette(from ?? to ?? ""));
  const named = (path: string | undefined) =>
    path === undefined ? undefined : relative(cwd, join(root, path));
  const found = await joined(all, old, (path) => readFileSync(join(root, path)));
  return found
    .map(({ from, to, same }): BaseCassette => {
      const before = async () => (from === undefined ? new Uint8Array() : await old(from));
      return { old: named(from), new: named(to), same, before };
    })
    .sort((a, b) => ((a.new ?? a.old ?? "") < (b.new ?? b.old ?? "") ? -1 : 1));
}

function isCassette(path: string): boolean {
  return /\.(ya?ml|jsonl)$/i.test(path);
}

/** What `git diff --name-status -z` tells: a letter and a path, or two where it is renamed. */
function movesIn(fields: readonly string[]): Move[] {
  const moves: Move[] = [];
  const all = fields[Symbol.iterator]();
  for (const status of all) {
    const path = all.next().value as string;
    const letter = status[0];
    if (letter === "R" || letter === "C") {
      const to = all.next().value as string;
      moves.push({ from: letter === "R" ? path : undefined, to, same: status === "R100" });
    } else {
      moves.push({
        from: letter === "A" ? undefined : path,
        to: letter === "D" ? undefined : path,
        same: false,
      });
    }
  }
  return moves;
}

/** Files that were moved without telling git: one is gone, and a new one says the same, or has the same name. */
async function joined(
  moves: readonly Move[],
  old: (path: string) => Promise<Uint8Array>,
  now: (path: string) => Uint8Array,
): Promise<Move[]> {
  const gone = moves.filter(({ to }) => to === undefined);
  const come = new Set(moves.filter(({ from }) => from === undefined));
  const pairs: Move[] = [];
  for (const { from } of gone) {
    const before = Buffer.from(await old(from as string));
    const equal = [...come].find(({ to }) => before.equals(now(to as string)));
    const other = equal ?? [...come].find(({ to }) => basename(to as string) === basename(from as string));
    if (!other) pairs.push({ from, to: undefined, same: false });
    else pairs.push({ from, to: other.to, same: equal !== undefined });
    if (other) come.delete(other);
  }
  return [...moves.filter(({ from, to }) => from !== undefined && to !== undefined), ...pairs, ...come];
}
