import { expect, test } from "vitest";
import { readMessage } from "../../../src/protocol/message.ts";
import { hashOf } from "../../../src/run/redaction.ts";
import { revealer } from "../../../src/run/reveal.ts";
import { bytesOf, textOf } from "../../cases/tape.ts";

const SECRET = 'a "quoted"\nsecret';
const placeholder = (secret: string) => `[redacted:${hashOf(secret)}]`;
const revealed = (text: string, names: readonly string[], env = { TOKEN: SECRET }) =>
  textOf(revealer(names, env)(readMessage(bytesOf(JSON.stringify({ method: "m", params: { text } })))).bytes);
const sent = (text: string) => JSON.stringify({ method: "m", params: { text } });

test("the value that a placeholder was made of takes its place, wherever it stands", () => {
  const text = `Bearer ${placeholder(SECRET)} and ${placeholder(SECRET)}`;
  expect(revealed(text, ["TOKEN"])).toBe(sent(`Bearer ${SECRET} and ${SECRET}`));
});

test("another value does not, nor does a variable that nobody named", () => {
  const text = placeholder(SECRET);
  expect(revealed(text, ["TOKEN"], { TOKEN: "rotated since" })).toBe(sent(text));
  expect(revealed(text, ["OTHER"])).toBe(sent(text));
  expect(revealed(text, [])).toBe(sent(text));
});
