import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { LinesOut } from "../../../src/transport/lines-out.ts";
import { bytesOf } from "../../cases/tape.ts";

function opened() {
  const stream = new PassThrough({ highWaterMark: 1_000_000 });
  const out = new LinesOut(stream);
  const made = (text: string) => {
    const room = out.roomFor(text.length);
    room.set(bytesOf(text));
    return room;
  };
  const written = () => {
    out.flush();
    return String(stream.read());
  };
  return { out, made, written };
}

test("lines made in its room stand between those that are copied", () => {
  const { out, made, written } = opened();
  out.line(bytesOf("one"));
  out.line(made("two"));
  out.part(bytesOf("thr"));
  out.line(bytesOf("ee"));
  expect(written()).toBe("one\ntwo\nthree\n");
});

test("a line is made in as much room as it takes, however long", () => {
  const { out, made, written } = opened();
  const lines = [8000, 191, 192, 1, 8190, 8191, 8192, 8193, 20_000, 5].map((length) => "x".repeat(length));
  for (const line of lines) out.line(made(line));
  expect(written()).toBe(lines.map((line) => `${line}\n`).join(""));
});

test("room that another line takes holds what it held", () => {
  const { out, made, written } = opened();
  out.roomFor(3).set(bytesOf("no!"));
  out.line(bytesOf("one"));
  const two = made("two");
  out.flush();
  out.line(two);
  expect(written()).toBe("one\ntwo\n");
});
