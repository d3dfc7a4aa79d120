// A lean client over stdio: whole lines from the far side, without parsing more than it must.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { INITIALIZED, initializeRequest } from "./answers.mjs";

const LINE_FEED = 0x0a;
const END_PATIENCE = 60_000;

export class LineClient {
  /** Called with each line's pieces (Buffers) and its length in bytes. */
  onLine = () => {};
  #pieces = [];
  #length = 0;
  #reading = false;
  /** Writes what is to be sent once a chunk is read. */
  #flush = () => {};

  constructor(command) {
    this.began = performance.now();
    this.child = spawn(command[0], command.slice(1), { stdio: ["pipe", "pipe", "inherit"] });
    this.child.stdout.on("data", (chunk) => this.#read(chunk));
    this.child.on("exit", (code, signal) => {
      if (!this.ending) throw new Error(`${command.join(" ")} ended with ${code ?? signal} before its time`);
    });
  }

  get pid() {
    return this.child.pid;
  }

  send(text) {
    this.child.stdin.write(`${text}\n`);
  }

  /**
   * Sends one of these requests by its id. They come in the order of their ids, from the first one on, so what is to be
   * sent together lies together: what is sent while a chunk is read goes out as one write, since a write for each line
   * would be what is measured.
   */
  sender(requests, firstId) {
    const text = Buffer.from(requests.map((request) => `${request}\n`).join(""));
    let end = 0;
    const ends = requests.map((request) => {
      end += Buffer.byteLength(request) + 1;
      return end;
    });
    let sent = 0;
    let told = 0;
    this.#flush = () => {
      if (told > sent) this.child.stdin.write(text.subarray(sent, told));
      sent = told;
    };
    return (id) => {
      told = ends[id - firstId];
      if (!this.#reading) this.#flush();
    };
  }

  /** Opens the session; answers the milliseconds from the start of the process to its first answer. */
  async initialize() {
    this.send(initializeRequest(0));
    const { text, at } = await this.nextLine();
    if (!text.includes('"serverInfo"')) throw new Error(`initialize was answered with ${text.slice(0, 500)}`);
    this.send(INITIALIZED);
    return at - this.began;
  }

  nextLine() {
    return new Promise((resolve) => {
      this.onLine = (pieces) => resolve({ text: Buffer.concat(pieces).toString(), at: performance.now() });
    });
  }

  /** Closes stdin and waits for the process to end by itself. */
  async end() {
    this.ending = true;
    this.child.stdin.end();
    const timer = setTimeout(() => {
      this.child.kill("SIGKILL");
      throw new Error(`still running ${END_PATIENCE / 1000} s after its stdin was closed`);
    }, END_PATIENCE);
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, "exit");
    clearTimeout(timer);
    if (this.child.exitCode !== 0)
      throw new Error(`ended with ${this.child.exitCode ?? this.child.signalCode}`);
  }

  #read(chunk) {
    this.#reading = true;
    this.#split(chunk);
    this.#reading = false;
    this.#flush();
  }

  #split(chunk) {
    let start = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, start)) {
      this.#pieces.push(chunk.subarray(start, at));
      const [pieces, length] = [this.#pieces, this.#length + at - start];
      this.#pieces = [];
      this.#length = 0;
      start = at + 1;
      this.onLine(pieces, length);
    }
    if (start < chunk.length) {
      this.#pieces.push(chunk.subarray(start));
      this.#length += chunk.length - start;
    }
  }
}
