import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { expect } from "vitest";
import { readCassette, tempFolder } from "./cassette.ts";
import { onceFor } from "./once.ts";
import { fixture, start } from "./program.ts";
import { Talk } from "./talk.ts";
import { record, serve } from "./walk.ts";

/** A server of the fixtures, with arguments. */
export const server = (name: string, ...args: string[]) => [fixture(`servers/${name}.mjs`), ...args];

/** Records a short session: one call, which tells a tag and is answered with it. */
export async function recordCall(file: string, tag: string, ...flags: string[]): Promise<void> {
  const talk = new Talk(start(record(file, server("parallel", "1"), ...flags)));
  await talk.initialize();
  await talk.call("ask", { tag });
  expect(await talk.program.finish()).toMatchObject({ code: 0, stderr: "" });
}

/** What a cassette of `recordCall` answers to calls, one after the other. */
export async function answersTo(file: string, ...tags: string[]): Promise<string[]> {
  const talk = new Talk(start(serve(file)));
  await talk.initialize();
  const answers: string[] = [];
  for (const tag of tags) {
    const { result, error } = await talk.call("ask", { tag });
    answers.push(result?.content[0].text ?? `error ${error?.code}`);
  }
  await talk.program.finish();
  return answers;
}

/** Answers of the recorded server to calls with these tags. */
export const recordedFor = (...tags: string[]) => tags.map((tag) => `answer to {"tag":"${tag}"}`);

/**
 * A recording of one call for all tests of a file, made for the first of them: a function that puts it in a place, in the
 * format that is named there, and answers its bytes.
 */
export function recordedOnce(tag: string): (file: string) => Promise<Buffer> {
  const bytesIn = onceFor(async (ending: string) => {
    const file = join(tempFolder(), `tape${ending}`);
    await recordCall(file, tag);
    return readFileSync(file);
  });
  return async (file) => {
    const bytes = await bytesIn(extname(file));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
    return bytes;
  };
}

/** A complete file: the reader has nothing to complain of, and a .yaml says where it ends. */
export async function expectComplete(file: string): Promise<void> {
  expect((await readCassette(file)).truncated).toEqual([]);
  const text = readFileSync(file, "utf8");
  if (file.endsWith(".yaml")) expect(text.match(/^\.\.\.$/gm)).toHaveLength(1);
  expect(text.endsWith(file.endsWith(".yaml") ? "\n...\n" : "}\n")).toBe(true);
}
