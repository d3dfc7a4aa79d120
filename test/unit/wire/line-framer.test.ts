import { expect, test } from "vitest";
import { LineFramer } from "../../../src/wire/line-framer.ts";
import { bytesOf, linesOf, textOf } from "../../cases/framing.ts";

const textsOf = (...chunks: string[]): [string, boolean][] =>
  linesOf(chunks.map(bytesOf)).map(({ bytes, terminated }) => [textOf(bytes), terminated]);

test.each<[string, string[], [string, boolean][]]>([
  [
    "lines of one chunk",
    ["a\nb\n"],
    [
      ["a", true],
      ["b", true],
    ],
  ],
  ["a line over chunks", ["a", "b", "c\n"], [["abc", true]]],
  [
    "a last line without newline",
    ["a\nb"],
    [
      ["a", true],
      ["b", false],
    ],
  ],
  [
    "CRLF",
    ["a\r\nb\r\n"],
    [
      ["a", true],
      ["b", true],
    ],
  ],
  [
    "CRLF cut in two",
    ["a\r", "\nb\n"],
    [
      ["a", true],
      ["b", true],
    ],
  ],
  ["only one CR dropped", ["a\r\r\n"], [["a\r", true]]],
  ["a CR within a line kept", ["a\rb\n"], [["a\rb", true]]],
  ["empty lines passed over", ["\n\r\n\na\n\n"], [["a", true]]],
  ["white space is a line", [" \n"], [[" ", true]]],
  ["nothing", ["", ""], []],
  [
    "noise between messages",
    ["{}\nlistening…\n{}\n"],
    [
      ["{}", true],
      ["listening…", true],
      ["{}", true],
    ],
  ],
])("%s", (_name, chunks, expected) => {
  expect(textsOf(...chunks)).toEqual(expected);
});

test("a character cut in two comes back whole", () => {
  const bytes = bytesOf("🙂é\n");
  for (let place = 0; place <= bytes.length; place += 1) {
    const [line] = linesOf([bytes.slice(0, place), bytes.slice(place)]);
    expect(line && textOf(line.bytes)).toBe("🙂é");
  }
});

test("bytes that are no UTF-8 pass unchanged", () => {
  expect(linesOf([Uint8Array.of(0xff, 0xfe, 0x0a)])).toEqual([
    { bytes: Uint8Array.of(0xff, 0xfe), terminated: true },
  ]);
});

test("a line within one chunk is a view of it", () => {
  const chunk = bytesOf("one\ntwo\n");
  const views: Uint8Array[] = [];
  new LineFramer().push(chunk, (line) => views.push(line));
  expect(views.map((view) => view.buffer === chunk.buffer)).toEqual([true, true]);
});

test("is as new after the end", () => {
  const framer = new LineFramer();
  const seen: string[] = [];
  const onLine = (line: Uint8Array): void => {
    seen.push(textOf(line));
  };
  framer.push(bytesOf("a"), onLine);
  framer.end(onLine);
  framer.end(onLine);
  framer.push(bytesOf("b\n"), onLine);
  expect(seen).toEqual(["a", "b"]);
});

test("a line of 20 MB in 64 KB chunks comes whole", () => {
  const chunk = new Uint8Array(65_536).fill(0x78);
  const chunks = Array.from({ length: 320 }, () => chunk);
  const lengths = linesOf([...chunks, bytesOf("\nend\n")]).map(({ bytes }) => bytes.length);
  expect(lengths).toEqual([320 * 65_536, 3]);
});

test("a line of 100,000 single bytes comes whole", () => {
  const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => 0x61 + (index % 26));
  const [line] = linesOf([...Array.from(bytes, (byte) => Uint8Array.of(byte)), bytesOf("\n")]);
  expect(line?.bytes.every((byte, index) => byte === bytes[index])).toBe(true);
  expect(line?.bytes.length).toBe(bytes.length);
});
