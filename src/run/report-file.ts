import {
  accessSync,
  constants,
  existsSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { VcrError } from "../errors.ts";
import type { Report } from "../replay/report.ts";

/**
 * The file that a report goes to. An earlier run's report goes away when a run begins, so that what is there afterwards
 * is never taken for another run's. Whoever runs several at once gives each a file of its own, but for one case: clients
 * of the official SDK 2.x start a stdio server twice, and what was only probed keeps nothing from its sibling.
 */
export class ReportFile {
  readonly #named: string;
  /** Where links lead. */
  readonly #file: string;

  /** @throws VcrError `usage` where no file can be written, or the cassette stands */
  constructor(file: string, cassette: string) {
    this.#named = file;
    if (isSame(file, cassette)) {
      throw new VcrError("usage", `--report ${file} is the cassette itself, which it would overwrite`, {
        hint: "Give the report a file of its own, such as --report report.json.",
      });
    }
    this.#file = existsSync(file) ? realpathSync(file) : resolve(file);
    this.#do(() => {
      accessSync(dirname(this.#file), constants.W_OK);
      if (this.#isRegular) rmSync(this.#file);
    });
  }

  /**
   * Writes the report as a whole.
   * @param probed nothing but probes was asked, so that a report that is there says more
   * @throws VcrError `usage`
   */
  write(report: () => Report, probed: boolean): void {
    if (probed && existsSync(this.#file)) return;
    const text = `${JSON.stringify(report(), null, 2)}\n`;
    // A pipe or a terminal cannot be replaced.
    if (existsSync(this.#file) && !this.#isRegular) return this.#do(() => writeFileSync(this.#file, text));
    const beside = `${this.#file}.${process.pid}.tmp`;
    this.#do(() => {
      try {
        writeFileSync(beside, text);
        renameSync(beside, this.#file);
      } catch (error) {
        rmSync(beside, { force: true });
        throw error;
      }
    });
  }

  get #isRegular(): boolean {
    const stats = statSync(this.#file, { throwIfNoEntry: false });
    if (stats?.isDirectory()) throw new Error("this is a folder; name a file in it");
    return stats?.isFile() === true;
  }

  #do(work: () => void): void {
    try {
      work();
    } catch (cause) {
      const isMissing = (cause as NodeJS.ErrnoException).code === "ENOENT";
      const reason = isMissing ? "there is no such folder" : (cause as Error).message;
      throw new VcrError("usage", `--report ${this.#named}: ${reason}`, { cause });
    }
  }
}

/** Whatever links lead there. */
function isSame(file: string, other: string): boolean {
  if (resolve(file) === resolve(other)) return true;
  const [a, b] = [file, other].map((each) => statSync(each, { throwIfNoEntry: false }));
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}
