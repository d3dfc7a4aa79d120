/** Clients at work: what each sees of a server, scene by scene, and how that compares. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { SCENES } from "../../fixtures/clients/walk/scenes.mjs";
import { openSession } from "../../fixtures/clients/walk/session.mjs";

const path = (name) => fileURLToPath(new URL(`../../../${name}`, import.meta.url));
const NODE = process.execPath;
const CLI = path("dist/cli.cjs");
const EVERYDAY = path("test/fixtures/servers/everyday.mjs");
const LISTEN = ["--listen", "127.0.0.1:0"];
const MISS_CODE = -32010;
const THREW = "threw ";

/** The scenes of an era among those asked for; all where none is. */
export function scenesFor(era, asked) {
  const names = Object.keys(SCENES).filter((name) => (SCENES[name].era ?? era) === era);
  for (const name of asked ?? []) if (!(name in SCENES)) throw new Error(`no scene named ${name}`);
  return asked === undefined ? names : names.filter((name) => asked.includes(name));
}

/** The same of a server that must be able to play them all. */
async function playWell(client, where, scenes) {
  const seen = await play(client, where, scenes);
  const fault = [...seen].find(([, lines]) => lines.some((text) => text.startsWith(THREW)));
  if (fault !== undefined) throw new Error(`the real server cannot play "${fault[0]}": ${fault[1].at(-1)}`);
  return seen;
}

/** Plays scenes with a client; answers the lines of each. What throws becomes a line. */
async function play(client, where, scenes) {
  const defaults = { clientName: "walk", user: "ada", ids: "none", stderr: "ignore" };
  const session = await openSession({ ...defaults, ...client, ...where });
  const seen = new Map();
  for (const name of scenes) {
    session.lines = [];
    try {
      await (SCENES[name].play ?? SCENES[name])(session);
    } catch (error) {
      session.print(`${THREW}${error.message}`);
    }
    seen.set(name, session.lines);
  }
  await session.close();
  return seen;
}

/** A program that listens and prints its URL; `stop` answers its exit code. */
async function listening(args) {
  const child = spawn(NODE, args, { stdio: ["ignore", "pipe", "ignore"] });
  const exited = once(child, "exit").then(([code]) => code);
  const [line] = await once(createInterface(child.stdout), "line");
  const stop = () => {
    child.kill();
    return exited;
  };
  return { url: JSON.parse(line).url, stop };
}

const everyday = ({ era }, transport) => [EVERYDAY, "--era", era, "--transport", transport];

/** What a client sees of the real server. */
export const seenDirectly = (client, scenes) =>
  playWell(client, { transport: "stdio", command: [NODE, ...everyday(client, "stdio")] }, scenes);

/** Records the real server while a client of its era plays all scenes. */
export async function recordCassette({ era, recorded, file }, scenes) {
  const client = { sdk: "2", era };
  if (recorded === "stdio") {
    const command = [NODE, CLI, "record", "-o", file, "--", NODE, ...everyday(client, "stdio")];
    await playWell(client, { transport: "stdio", command }, scenes);
    return;
  }
  const server = await listening(everyday(client, "http"));
  const recorder = await listening([CLI, "record", "-o", file, "--url", server.url, ...LISTEN]);
  await playWell(client, { transport: "http", url: recorder.url }, scenes);
  await recorder.stop();
  await server.stop();
}

/** A cassette as it is served: over HTTP once for each way to give answers, and otherwise to each client anew. */
export class Served {
  #file;
  #servers = new Map();

  constructor({ file }) {
    this.#file = file;
  }

  /** What a client that comes by a door sees. */
  async seenBy(client, door, scenes) {
    switch (door.transport) {
      case "stdio":
        return play(client, { transport: "stdio", command: [NODE, CLI, "serve", this.#file] }, scenes);
      case "memory":
        return this.#inProcess(client, scenes);
      default: {
        const url = await this.#url(door.answers);
        return play(client, { transport: door.transport, url: new URL(door.path, url).href }, scenes);
      }
    }
  }

  async #inProcess(client, scenes) {
    const { useCassette } = await import("../../../dist/index.js");
    const tape = await useCassette(this.#file);
    const seen = await play(client, { transport: "memory", tape }, scenes);
    await tape.close();
    return seen;
  }

  async #url(answers) {
    const args = [CLI, "serve", this.#file, "--answers", answers, ...LISTEN];
    if (!this.#servers.has(answers)) this.#servers.set(answers, await listening(args));
    return this.#servers.get(answers).url;
  }

  async stop() {
    for (const server of this.#servers.values()) await server.stop();
  }
}

/**
 * The verdict on a client at a door: `right` when it sees what it sees of the real server, `impossible` with the reason
 * where a miss says that the other era cannot be answered, `wrong` for everything else.
 */
export async function meet({ client, door, cassette, served }, direct) {
  const scenes = [...direct.keys()];
  const crossing = client.era !== cassette.era;
  const seen = await served.seenBy(client, door, scenes).catch((error) => error);
  if (seen instanceof Error) {
    const reason = firstLine(seen);
    return crossing
      ? { verdict: "impossible", reason: `not translated: ${reason}` }
      : { verdict: "wrong", reason };
  }
  const different = scenes.filter((name) => seen.get(name).join("\n") !== direct.get(name).join("\n"));
  if (different.length === 0) return { verdict: "right" };
  const missed = (name) => seen.get(name).some((text) => text.includes(`"code":${MISS_CODE}`));
  const reason = different
    .map((name) => `${name} (${firstMissOrLine(seen.get(name), direct.get(name))})`)
    .join("; ");
  if (crossing && different.every(missed)) return { verdict: "impossible", reason: `in part: ${reason}` };
  return { verdict: "wrong", reason };
}

function firstLine({ message }) {
  return message.replace(/^MCP error -?\d+: /, "").split("\n")[0];
}

/** A miss in words, or the first line that is not as it should be. */
function firstMissOrLine(seen, direct) {
  const miss = seen.find((text) => text.includes(`"code":${MISS_CODE}`));
  if (miss !== undefined) return firstLine(JSON.parse(miss.slice(miss.indexOf("{"))));
  const at = seen.findIndex((text, index) => text !== direct[index]);
  return `saw ${seen[at] ?? "nothing more"}, not ${direct[at] ?? "anything more"}`;
}
