import fc from "fast-check";
import { loadAll, YAML11_SCHEMA } from "js-yaml";
import { describe, expect, test } from "vitest";
import type { Codec } from "../../src/cassette/codec.ts";
import type { Body, Entry } from "../../src/exchange/entry.ts";
import { bytesOf, codecOf, fileOf, jsonBody, readAll, shown, textOf } from "../unit/cassette/support.ts";
import { anyEntry, anyJson, anyText } from "./cassette-arbitraries.ts";

const options = (numRuns: number) => ({ seed: Number(process.env.FC_SEED ?? 1), numRuns });

/** White space between tokens is no content; JavaScript reads and writes these values unharmed. */
const normal = (body: Body): Body =>
  body.form === "message" ? jsonBody(JSON.stringify(JSON.parse(textOf(body.bytes)))) : body;

const comparable = (entry: Entry) => shown(entry.body ? { ...entry, body: normal(entry.body) } : entry);

describe.each(["a.yaml", "a.jsonl"])("%s", (file) => {
  const codec: Codec = codecOf(file);

  test("any sequence of entries survives writing and reading", () => {
    fc.assert(
      fc.property(fc.array(anyEntry, { maxLength: 5 }), (entries) => {
        const { entries: read, end } = readAll(codec, fileOf(codec, entries));
        expect(read.map(comparable)).toEqual(entries.map(comparable));
        expect(end.truncated).toBeUndefined();
      }),
      options(500),
    );
  });

  test("any JSON value survives with its members in order", () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const entry: Entry = { at: 0, from: "client", session: 1, body: jsonBody(JSON.stringify(value)) };
        const [read] = readAll(codec, fileOf(codec, [entry])).entries;
        expect(read?.body?.form).toBe(entry.body?.form);
        expect(textOf(read?.body?.bytes as Uint8Array)).toBe(JSON.stringify(value));
      }),
      options(1000),
    );
  });

  test("any text survives", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const entry: Entry = {
          at: 0,
          from: "server",
          session: 1,
          body: { form: "text", bytes: bytesOf(text) },
        };
        const [read] = readAll(codec, fileOf(codec, [entry])).entries;
        expect(textOf(read?.body?.bytes as Uint8Array)).toBe(text);
      }),
      options(1000),
    );
  });

  test("chunking does not matter", () => {
    fc.assert(
      fc.property(
        fc.array(anyEntry, { maxLength: 4 }),
        fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1 }),
        (entries, sizes) => {
          const bytes = bytesOf(fileOf(codec, entries));
          const chunks: Uint8Array[] = [];
          for (let at = 0, i = 0; at < bytes.length; i++) {
            const size = sizes[i % sizes.length] as number;
            chunks.push(bytes.subarray(at, at + size));
            at += size;
          }
          expect(readAll(codec, ...chunks)).toEqual(readAll(codec, bytes));
        },
      ),
      options(300),
    );
  });

  test("an entry is read alone from its byte range", () => {
    fc.assert(
      fc.property(
        fc.array(anyEntry, { maxLength: 4 }),
        fc.array(anyEntry, { maxLength: 4 }),
        (first, second) => {
          const bytes = bytesOf(fileOf(codec, first) + fileOf(codec, second));
          const { located } = readAll(codec, bytes);
          expect(located).toHaveLength(first.length + second.length);
          for (const { entry, ...place } of located) {
            const alone = codec.decodeEntry(bytes.subarray(place.start, place.end), { file, ...place });
            expect(shown(alone)).toEqual(shown(entry));
          }
        },
      ),
      options(300),
    );
  });

  test("a file cut at any byte yields the complete entries, no others", () => {
    fc.assert(
      fc.property(fc.array(anyEntry, { maxLength: 3 }), (entries) => {
        const bytes = bytesOf(fileOf(codec, entries));
        const whole = readAll(codec, bytes);
        const header = bytesOf(fileOf(codec, [])).length - codec.terminator.length;
        // A YAML document is complete with the three characters of the marker behind it.
        const needed = codec.name === "yaml" ? 3 : 0;
        for (let cut = header + needed; cut < bytes.length; cut++) {
          const complete = whole.located.filter(({ end }) => end + needed <= cut);
          expect(readAll(codec, bytes.subarray(0, cut)).located).toEqual(complete);
        }
        for (let cut = 0; cut < header + needed - 1; cut++) {
          expect(() => readAll(codec, bytes.subarray(0, cut))).toThrow(/header|first document/);
        }
      }),
      options(15),
    );
  });

  test("appending where the reader says gives the file that one writer would have written", () => {
    fc.assert(
      fc.property(
        fc.array(anyEntry, { maxLength: 3 }),
        fc.array(anyEntry, { maxLength: 3 }),
        (first, second) => {
          const bytes = bytesOf(fileOf(codec, first));
          const { at, prefix } = readAll(codec, bytes).end.append;
          const more = fileOf(codec, second).slice(fileOf(codec, []).length - codec.terminator.length);
          const file = textOf(bytes.subarray(0, at)) + prefix + more;
          expect(readAll(codec, file).entries.map(shown)).toEqual(
            [...readAll(codec, bytes).entries, ...readAll(codec, fileOf(codec, second)).entries].map(shown),
          );
        },
      ),
      options(200),
    );
  });

  test("lines of a file converted to CRLF read the same", () => {
    fc.assert(
      fc.property(fc.array(anyEntry, { maxLength: 3 }), (entries) => {
        const text = fileOf(codec, entries);
        const { entries: read } = readAll(codec, text.replaceAll("\n", "\r\n"));
        expect(read.map(shown)).toEqual(readAll(codec, text).entries.map(shown));
      }),
      options(200),
    );
  });
});

test("a .yaml cassette is a YAML stream for any other reader", () => {
  const codec = codecOf("a.yaml");
  fc.assert(
    fc.property(fc.array(anyEntry, { maxLength: 5 }), (entries) => {
      const [header, ...documents] = loadAll(fileOf(codec, entries), { maxDepth: 300 }) as Record<
        string,
        unknown
      >[];
      expect(header?.["mcp-vcr"]).toBe(1);
      expect(documents).toHaveLength(entries.length);
      for (const [i, { body, at }] of entries.entries()) {
        const document = documents[i] as Record<string, unknown>;
        expect(document.at).toBe(at);
        if (body?.form === "message") expect(document.message).toEqual(JSON.parse(textOf(body.bytes)));
        else if (body && body.form !== "base64") expect(document[body.form]).toBe(textOf(body.bytes));
      }
    }),
    options(1000),
  );
});

test("strings and keys are not taken for anything else by YAML 1.1 readers either", () => {
  const codec = codecOf("a.yaml");
  fc.assert(
    fc.property(fc.dictionary(anyText, anyText, { noNullPrototype: true }), anyText, (message, text) => {
      const told: Entry = {
        at: 0,
        from: "client",
        session: 1,
        body: jsonBody(JSON.stringify({ message, text: [text] })),
      };
      fc.pre(told.body?.form === "message");
      const [, document] = loadAll(fileOf(codec, [told]), { schema: YAML11_SCHEMA }) as Record<
        string,
        unknown
      >[];
      expect(document?.message).toEqual({ message, text: [text] });
    }),
    options(1000),
  );
});
