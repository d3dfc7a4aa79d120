import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Entry } from "../../src/exchange/entry.ts";
import { bodiesOf, type Cassette, readCassette, tempFolder } from "./support/cassette.ts";
import { CLI, type Program, start } from "./support/program.ts";
import { Random } from "./support/random.ts";
import { PATIENCE_MS } from "./support/walk.ts";

/** A busy session whose recorder is killed: what the client saw is what the file holds. */

/** Answers a call of a tool with the text that it was given. It is no Node program: a hundred of those take long to start. */
const SERVER = [
  "perl",
  "-pe",
  'BEGIN { $| = 1 } s/"method":.*?"text":/"result":{"content":[{"type":"text","text":/; s/}}}$/}]}}/',
];
const MOMENTS = 50;
const AT_ONCE = 4;
const REQUESTS = 400;

interface Moment {
  readonly file: string;
  readonly seed: number;
}

/** When to kill: so many bytes, or so many milliseconds, after the first answer; or so long after the start. */
type Trigger =
  | { readonly after: "bytes"; readonly bytes: number }
  | { readonly after: "time" | "start"; readonly ms: number };

function triggerOf(random: Random): Trigger {
  const choice = random.below(10);
  if (choice === 0) return { after: "start", ms: random.below(400) };
  if (choice < 6) return { after: "bytes", bytes: random.below(300_000) };
  return { after: "time", ms: random.below(80) };
}

/** Requests of this session: mostly small, some of tens of kilobytes, few so long that they are written step by step. */
function requestsOf(random: Random): string[] {
  return Array.from({ length: REQUESTS }, (_, id) => {
    const size = random.below(12) === 0 ? random.below(40_000) : random.below(300);
    const times = random.below(70) === 0 ? 150_000 / (size + 1) : 1;
    const text = `${id}: ä "quoted"\n${"🧵 spun ".repeat((size * times) / 10)}`;
    return JSON.stringify({
      jsonrpc: "2.0",
      id,
      method: "tools/call",
      params: { name: "ask", arguments: { text } },
    });
  });
}

/** What the server answers to a request, byte for byte. */
function answerTo(request: string): string {
  const { id, params } = JSON.parse(request);
  const content = [{ type: "text", text: params.arguments.text }];
  return JSON.stringify({ jsonrpc: "2.0", id, result: { content } });
}

/** What the client had done and seen of a session when it was over. */
interface Session {
  readonly requests: readonly string[];
  readonly sent: number;
  readonly seen: readonly string[];
  /** So many answers had been seen when the request with this index was sent. */
  readonly seenBefore: readonly number[];
}

async function killedSession({ file, seed }: Moment): Promise<Session> {
  const random = new Random(seed);
  const trigger = triggerOf(random);
  const inFlight = 1 + random.below(6);
  const requests = requestsOf(random);
  const program = start([CLI, "record", "-o", file, "--", ...SERVER]);
  const seen: string[] = [];
  const seenBefore: number[] = [];
  let bytes = 0;
  let rest = "";
  const send = () => {
    const request = requests[seenBefore.length];
    if (request === undefined) return;
    seenBefore.push(seen.length);
    program.child.stdin.write(`${request}\n`);
  };
  const decoder = new StringDecoder("utf8");
  program.child.stdout.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (trigger.after === "bytes" && bytes >= trigger.bytes) program.kill("SIGKILL");
    const lines = (rest + decoder.write(chunk)).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      seen.push(line);
      send();
    }
  });
  for (let count = 0; count < inFlight; count++) send();
  await killAt(program, trigger);
  expect((await program.ended).signal).toBe("SIGKILL");
  return { requests, sent: seenBefore.length, seen, seenBefore };
}

async function killAt(program: Program, trigger: Trigger): Promise<void> {
  if (trigger.after === "bytes") return;
  if (trigger.after === "time") await program.printed("\n");
  await sleep(trigger.ms);
  program.kill("SIGKILL");
}

/** What a file left behind holds; a recorder that had not begun to write leaves none, or an empty one. */
async function read(file: string): Promise<Cassette | undefined> {
  return existsSync(file) && statSync(file).size > 0 ? readCassette(file) : undefined;
}

function check(session: Session, entries: readonly Entry[]): void {
  const latin1 = (text: string) => Buffer.from(text).toString("latin1");
  const asked = bodiesOf(entries, "client");
  const answered = bodiesOf(entries, "server");
  // What is there is the session's beginning, nothing left out and nothing changed.
  expect(asked).toEqual(session.requests.slice(0, asked.length).map(latin1));
  expect(answered).toEqual(session.requests.slice(0, answered.length).map(answerTo).map(latin1));
  expect(asked.length).toBeGreaterThanOrEqual(answered.length);
  // Bytes are passed on before they are recorded, so what came last may be missing. What was seen before a request
  // was sent that was answered may not.
  const last = session.seen.length - 1;
  expect(asked.length).toBeGreaterThanOrEqual(last + 1);
  expect(answered.length).toBeGreaterThanOrEqual(session.seenBefore[last] ?? 0);
  expect(entries.map(({ at }) => at)).toEqual(entries.map(({ at }) => at).toSorted((a, b) => a - b));
}

describe.each(["yaml", "jsonl"])("kill -9 of record, .%s", (codec) => {
  test(`at ${MOMENTS} moments of a busy session`, { timeout: PATIENCE_MS }, async () => {
    const folder = tempFolder();
    const moments = Array.from({ length: MOMENTS }, (_, index): Moment => {
      return { file: join(folder, `${index}.${codec}`), seed: 1000 + index };
    });
    let withAnswers = 0;
    const left = [...moments];
    const work = async () => {
      for (let moment = left.pop(); moment !== undefined; moment = left.pop()) {
        const session = await killedSession(moment);
        const cassette = await read(moment.file);
        check(session, cassette?.entries ?? []);
        if (session.seen.length > 0) withAnswers++;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    expect(withAnswers).toBeGreaterThan(MOMENTS / 2);
  });
});
