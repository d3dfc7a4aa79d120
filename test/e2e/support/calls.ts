import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { readCassette } from "./cassette.ts";
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

/** What a cassette of `recordCall` answers to a call. */
export async function answerTo(file: string, tag: string): Promise<string> {
  const talk = new Talk(start(serve(file)));
  await talk.initialize();
  const { result, error } = await talk.call("ask", { tag });
  await talk.program.finish();
  return result?.content[0].text ?? `error ${error?.code}`;
}

/** A complete file: the reader has nothing to complain of, and a .yaml says where it ends. */
export async function expectComplete(file: string): Promise<void> {
  expect((await readCassette(file)).truncated).toEqual([]);
  const text = readFileSync(file, "utf8");
  if (file.endsWith(".yaml")) expect(text.match(/^\.\.\.$/gm)).toHaveLength(1);
  expect(text.endsWith(file.endsWith(".yaml") ? "\n...\n" : "}\n")).toBe(true);
}
