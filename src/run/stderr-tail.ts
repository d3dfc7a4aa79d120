/** Lines and bytes of what a server wrote last. */
const LINES = 20;
const BYTES = 16 * 1024;

/** The end of what a server writes to its stderr, for when it fails. */
export class StderrTail {
  #bytes: Buffer = Buffer.alloc(0);

  readonly add = (chunk: Buffer): void => {
    this.#bytes = Buffer.concat([this.#bytes, chunk]).subarray(-BYTES);
  };

  /** Indented by two; undefined where it wrote nothing. */
  get text(): string | undefined {
    const lines = this.#bytes.toString().trimEnd().split(/\r?\n/).slice(-LINES);
    if (lines.every((line) => line.trim() === "")) return undefined;
    return lines.map((line) => `  ${line}`).join("\n");
  }

  /** For an error's hint. */
  get hint(): string | undefined {
    return this.text === undefined ? undefined : `It wrote last, to its stderr:\n${this.text}`;
  }
}
