import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { onTestFinished } from "vitest";

/** Where Chromium is, if it is installed. */
export const CHROMIUM = [process.env.CHROMIUM ?? "", "/usr/bin/chromium", "/usr/bin/chromium-browser"].find(
  (path) => path !== "" && existsSync(path),
);

// biome-ignore lint/suspicious/noExplicitAny: answers of the protocol are looked into freely
type Answer = any;

/** A page in a headless Chromium, driven over a pipe (https://chromedevtools.github.io/devtools-protocol/). */
export class Page {
  /** What its scripts complained of. */
  readonly faults: string[] = [];
  readonly #browser: ChildProcess;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  readonly #loaded: Promise<void>;
  #onLoad: () => void = () => {};
  #session: string | undefined;
  #count = 0;

  private constructor(browser: ChildProcess) {
    this.#browser = browser;
    this.#loaded = new Promise((resolve) => {
      this.#onLoad = resolve;
    });
    let begun = "";
    (browser.stdio[4] as Readable).on("data", (chunk: Buffer) => {
      const messages = (begun + chunk.toString()).split("\0");
      begun = messages.pop() ?? "";
      for (const message of messages) this.#take(JSON.parse(message));
    });
  }

  static async open(url: string, { width = 1280, height = 800, dark = false } = {}): Promise<Page> {
    const profile = mkdtempSync(join(tmpdir(), "mcp-vcr-chromium-"));
    const flags = `--headless --no-sandbox --disable-gpu --remote-debugging-pipe --user-data-dir=${profile}`;
    const browser = spawn(CHROMIUM as string, flags.split(" "), {
      stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
    });
    const page = new Page(browser);
    onTestFinished(async () => {
      const gone = new Promise((resolve) => browser.once("exit", resolve));
      page.#session = undefined;
      void page.send("Browser.close");
      await gone;
      // Helpers of the browser may outlive it for a moment.
      rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    });
    const { targetId } = await page.send("Target.createTarget", { url: "about:blank" });
    page.#session = (await page.send("Target.attachToTarget", { targetId, flatten: true })).sessionId;
    for (const domain of ["Page", "Runtime", "Log"]) await page.send(`${domain}.enable`);
    await page.send("Emulation.setDeviceMetricsOverride", {
      width,
      height,
      deviceScaleFactor: 1,
      mobile: width < 700,
    });
    const features = [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }];
    await page.send("Emulation.setEmulatedMedia", { features });
    await page.send("Page.navigate", { url });
    await page.#loaded;
    return page;
  }

  send(method: string, params: object = {}): Promise<Answer> {
    const id = ++this.#count;
    const message = { id, method, params, ...(this.#session !== undefined && { sessionId: this.#session }) };
    (this.#browser.stdio[3] as Writable).write(`${JSON.stringify(message)}\0`);
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  /** The value of an expression in the page, after the next frame is drawn. */
  async value(expression: string): Promise<Answer> {
    const frame = "await new Promise((done) => requestAnimationFrame(() => setTimeout(done)))";
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", {
      expression: `(async () => { ${frame}; return ${expression}; })()`,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails));
    return result.value;
  }

  /** Presses keys, one after the other, as `KeyboardEvent.key` names them. */
  async press(...keys: string[]): Promise<void> {
    const sent = keys.flatMap((key) => {
      const text = key.length === 1 ? { text: key } : key === "Enter" ? { text: "\r" } : {};
      const types = [{ type: "keyDown", ...text }, { type: "keyUp" }];
      return types.map((each) => this.send("Input.dispatchKeyEvent", { key, ...each }));
    });
    await Promise.all(sent);
  }

  async screenshot(): Promise<Buffer> {
    return Buffer.from((await this.send("Page.captureScreenshot")).data, "base64");
  }

  #take({ id, method, params, result, error }: Answer): void {
    if (method === "Page.loadEventFired") this.#onLoad();
    if (method === "Runtime.exceptionThrown")
      this.faults.push(params.exceptionDetails.exception?.description ?? "");
    if (method === "Log.entryAdded" && params.entry.level === "error") this.faults.push(params.entry.text);
    if (id === undefined) return;
    if (error) this.faults.push(error.message);
    this.#waiting.get(id)?.(result ?? {});
  }
}
