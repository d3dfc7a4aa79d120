import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { VcrError } from "../errors.ts";

/** The bytes of a file, which is read as far as somebody looks, so that the beginning of a large one is there at once. */
export class FileBytes {
  /** As long as the file; zeros where nothing was read yet. */
  readonly bytes: Buffer;
  readonly #file: string;
  readonly #version: string;
  #fd: number | undefined;
  #read = 0;

  /** @throws whatever opening a file throws */
  constructor(file: string) {
    this.#file = file;
    this.#fd = openSync(file, "r");
    this.bytes = Buffer.allocUnsafeSlow(fstatSync(this.#fd).size);
    this.#version = versionOf(this.#fd);
  }

  /**
   * Reads as far as this.
   * @throws VcrError `cassette-invalid` when the file was changed since it was opened
   */
  readTo(end: number): void {
    if (this.#fd === undefined) return;
    while (this.#read < end) {
      const count = readSync(this.#fd, this.bytes, this.#read, end - this.#read, this.#read);
      if (count === 0) throw this.#change(this.#fd);
      this.#read += count;
    }
    if (this.#read < this.bytes.length) return;
    if (versionOf(this.#fd) !== this.#version) throw this.#change(this.#fd);
    this.#close(this.#fd);
  }

  #close(fd: number): void {
    closeSync(fd);
    this.#fd = undefined;
  }

  #change(fd: number): VcrError {
    this.#close(fd);
    return new VcrError("cassette-invalid", "the file was changed while it was read", {
      place: { file: this.#file },
      hint: "Start again.",
    });
  }
}

/** Another one for whatever else was written to it. */
function versionOf(fd: number): string {
  const { size, mtimeNs } = fstatSync(fd, { bigint: true });
  return `${size} ${mtimeNs}`;
}
