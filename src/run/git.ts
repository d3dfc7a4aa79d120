import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { VcrError } from "../errors.ts";

/** In bytes: the largest file read from a revision. */
const MOST_OUTPUT = 2 ** 30;

/** Runs git in a folder. */
export class Git {
  readonly #cwd: string;

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  /**
   * What a command prints.
   * @throws VcrError `usage`
   */
  async output(...args: readonly string[]): Promise<Buffer> {
    const options = { cwd: this.#cwd, encoding: "buffer", maxBuffer: MOST_OUTPUT } as const;
    try {
      return (await promisify(execFile)("git", [...args], options)).stdout;
    } catch (cause) {
      throw failure(args, cause as NodeJS.ErrnoException & { readonly stderr?: Buffer });
    }
  }

  async line(...args: readonly string[]): Promise<string> {
    return (await this.output(...args)).toString().replace(/\r?\n$/, "");
  }

  /** What a command prints with `-z`. */
  async fields(...args: readonly string[]): Promise<string[]> {
    return (await this.output(...args)).toString().split("\0").slice(0, -1);
  }

  /**
   * The commit that a revision names.
   * @throws VcrError `usage`
   */
  async commit(revision: string): Promise<string> {
    try {
      return await this.line("rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`);
    } catch (cause) {
      throw new VcrError("usage", `--base ${revision}: git knows no such revision`, {
        hint: "In CI, fetch it first: actions/checkout fetches one commit unless told fetch-depth: 0.",
        cause,
      });
    }
  }
}

function failure(
  [command]: readonly string[],
  cause: NodeJS.ErrnoException & { readonly stderr?: Buffer },
): VcrError {
  if (cause.code === "ENOENT") {
    return new VcrError("usage", "git could not be started", {
      hint: "Is it installed, and on the PATH?",
      cause,
    });
  }
  const said = cause.stderr?.toString().trim().split("\n")[0] || cause.message;
  const outside = /not a git repository/i.test(said);
  return new VcrError("usage", outside ? "this is no git repository" : `git ${command}: ${said}`, {
    hint: outside ? "Stand in one, or name two cassettes: mcp-vcr diff OLD NEW" : undefined,
    cause,
  });
}
