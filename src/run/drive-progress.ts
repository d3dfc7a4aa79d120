/** Columns of the updating line at most. */
const WIDTH = 78;

/** Says what is being asked: on a terminal in one line that is written over, elsewhere in a line for each method. */
export class DriveProgress {
  readonly #out: NodeJS.WriteStream;
  readonly #told = new Set<string>();
  #count = 0;

  constructor(out: NodeJS.WriteStream) {
    this.#out = out;
  }

  asking(label: string, method: string): void {
    this.#count++;
    if (this.#out.isTTY) this.#out.write(`\r\x1b[K${`mcp-vcr: ${this.#count}  ${label}`.slice(0, WIDTH)}`);
    else if (!this.#told.has(method)) this.#out.write(`mcp-vcr: ${method} …\n`);
    this.#told.add(method);
  }

  /** Before anything else is printed. */
  clear(): void {
    if (this.#out.isTTY && this.#count > 0) this.#out.write("\r\x1b[K");
  }
}
