import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeSse } from "../../src/wire/sse-encode.ts";
import type { SseEvent } from "../../src/wire/sse-framer.ts";
import {
  bytesOf,
  cut,
  eventsOf,
  eventsReusing,
  FRAMERS,
  linesOf,
  linesReusing,
  textOf,
} from "../cases/framing.ts";

const SETTINGS = { seed: Number(process.env.FC_SEED ?? 1), numRuns: 500 };

/** Streams rich in what framers look at, next to any bytes at all. */
const stream = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc
    .array(
      fc.oneof(
        fc.constantFrom(
          "\n",
          "\r",
          "\r\n",
          "\n\n",
          ":",
          " ",
          "data",
          "data:",
          "data: ",
          "id: ",
          "event: ",
          "retry: ",
        ),
        fc.constantFrom("7", "é", "🙂", "\ufeff", "\0", '{"jsonrpc":"2.0"}'),
        fc.string({ unit: "binary", maxLength: 5 }),
      ),
      { maxLength: 60 },
    )
    .map((parts) => bytesOf(parts.join(""))),
);
const cuts = fc.array(fc.nat(), { maxLength: 20 });

describe.each(FRAMERS)("$name", ({ frames }) => {
  test("delivers the same however the stream is cut", () => {
    fc.assert(
      fc.property(stream, cuts, (bytes, places) => {
        expect(frames(cut(bytes, places))).toEqual(frames([bytes]));
      }),
      SETTINGS,
    );
  });

  test("delivers the same byte by byte", () => {
    fc.assert(
      fc.property(stream, (bytes) => {
        expect(frames(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(frames([bytes]));
      }),
      SETTINGS,
    );
  });
});

test("lines are the same whether memory is used again or not", () => {
  fc.assert(
    fc.property(stream, cuts, (bytes, places) => {
      expect(linesReusing(cut(bytes, places))).toEqual(linesOf([bytes]));
    }),
    SETTINGS,
  );
});

test("lines are what lies between newlines, without a CR at the end, unless empty", () => {
  fc.assert(
    fc.property(stream, cuts, (bytes, places) => {
      const latin1 = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
      const expected = latin1.split("\n").map((line) => line.replace(/\r$/, ""));
      const lines = linesOf(cut(bytes, places));
      expect(
        lines.map(({ bytes: line }) => Array.from(line, (byte) => String.fromCharCode(byte)).join("")),
      ).toEqual(expected.filter((line) => line !== ""));
      const unterminated = lines.filter(({ terminated }) => !terminated);
      expect(unterminated).toEqual(expected.at(-1) === "" ? [] : lines.slice(-1));
    }),
    SETTINGS,
  );
});

const oneLine = fc.string({ unit: "binary", maxLength: 30 }).map((text) => text.replace(/[\r\n\0]/g, "_"));
const event: fc.Arbitrary<SseEvent> = fc
  .record(
    {
      name: oneLine.filter((name) => name !== ""),
      id: oneLine,
      retry: fc.maxSafeNat(),
      data: fc.option(
        fc.oneof(
          fc.uint8Array({ maxLength: 60 }).map((bytes) => bytes.map((byte) => (byte === 0x0d ? 0x0a : byte))),
          fc
            .array(fc.constantFrom("\n", " ", ":", "data: x", "é"), { maxLength: 9 })
            .map((parts) => bytesOf(parts.join(""))),
        ),
        { nil: undefined },
      ),
    },
    { requiredKeys: ["data"] },
  )
  .filter((value) => Object.values(value).some((member) => member !== undefined));

test("an event survives encoding and framing", () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 5 }), cuts, (events, places) => {
      const bytes = Uint8Array.from(events.flatMap((each) => [...encodeSse(each)]));
      expect(eventsOf(cut(bytes, places))).toEqual({ events, cutOff: false });
      expect(eventsReusing(cut(bytes, places))).toEqual({ events, cutOff: false });
    }),
    SETTINGS,
  );
});

test("JSON text with carriage returns between its tokens keeps its value as an event", () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom("\r", "\r\n"), (json, ending) => {
      const text = JSON.stringify(JSON.parse(json), undefined, 2).replaceAll("\n", ending);
      const [parsed] = eventsOf([encodeSse({ data: bytesOf(text) })]).events;
      expect(JSON.parse(textOf(parsed?.data ?? bytesOf("")))).toEqual(JSON.parse(json));
    }),
    SETTINGS,
  );
});
