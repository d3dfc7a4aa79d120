import { expect, test } from "vitest";
import type { Entry } from "../../../src/exchange/entry.ts";
import { changeLines, changesBetween, recorded } from "../../cases/drift.ts";
import { client, request, result, server } from "../../cases/tape.ts";

/** A recording of one tool: its output schema, unless the list was not asked for, and what it answered. */
function recording(outputSchema: object | undefined | "unlisted", answer: object): Entry[] {
  const tool = { name: "forecast", inputSchema: { type: "object" }, outputSchema };
  const listing =
    outputSchema === "unlisted"
      ? []
      : [client(request(1, "tools/list", {})), server(result(1, { tools: [tool] }))];
  return [
    ...listing,
    client(request(2, "tools/call", { name: "forecast", arguments: {} })),
    server(result(2, answer)),
  ];
}

const structured = (structuredContent: unknown, more: object = {}) => ({
  content: [],
  structuredContent,
  ...more,
});
const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });

const DEGREES = object({ degrees: { type: "number" } }, { required: ["degrees"] });
const RULE = "answer-breaks-schema";

const only = async (old: Entry[], fresh: Entry[]) =>
  (await changeLines(recorded(old), recorded(fresh))).filter(
    (line) => line.includes(" answer-") || line.includes(RULE),
  );

const at = (pointer: string) => [`breaking ${RULE} tools/call forecast ${pointer}`];

test("a value of another type: the place, both values and the reason", async () => {
  const [change, ...others] = await changesBetween(
    recorded(recording(DEGREES, structured({ degrees: 3 }))),
    recorded(recording(DEGREES, structured({ degrees: "3" }))),
  );
  expect(others).toEqual([]);
  expect(change).toMatchObject({
    rule: RULE,
    pointer: "/structuredContent/degrees",
    message: "/structuredContent/degrees breaks the tool's outputSchema now: it must be number.",
    before: 3,
    after: "3",
  });
});

test.each([
  ["a member that is missing", { degrees: 3 }, {}, "/structuredContent/degrees"],
  ["all of it missing", { degrees: 3 }, undefined, "/structuredContent"],
])("%s", async (_, before, after, place) => {
  const [old, fresh] = [recording(DEGREES, structured(before)), recording(DEGREES, structured(after))];
  expect(await only(old, fresh)).toEqual(at(place));
});

test("a member that must not be there", async () => {
  const closed = object({ a: {} }, { additionalProperties: false });
  const [old, fresh] = [
    recording(closed, structured({ a: 1 })),
    recording(closed, structured({ a: 1, "b/c": 2 })),
  ];
  expect(await only(old, fresh)).toEqual(at("/structuredContent/b~1c"));
});

test("the branches of an alternative are one fault", async () => {
  const nullable = object({ a: { anyOf: [{ type: "number" }, { type: "null" }] } });
  const [change] = await changesBetween(
    recorded(recording(nullable, structured({ a: 1 }))),
    recorded(recording(nullable, structured({ a: "1" }))),
  );
  expect(change?.message).toBe(
    "/structuredContent/a breaks the tool's outputSchema now: it must match a schema in anyOf (must be number; must be null).",
  );
});

test("several places are one change, and what they say otherwise is told besides", async () => {
  const points = object({ list: { type: "array", items: object({ x: { type: "number" } }) } });
  const answer = (...all: unknown[]) => structured({ list: all.map((x) => ({ x })), note: String(all[0]) });
  const changes = await changesBetween(
    recorded(recording(points, answer(1, 2, 3))),
    recorded(recording(points, answer("1", "2", "3"))),
  );
  expect(changes.map(({ rule, pointer }) => `${rule} ${pointer}`)).toEqual([
    `${RULE} /structuredContent/list/0/x`,
  ]);
  expect(changes[0]?.message).toContain("must be number, and 2 more of it.");
});

test("a schema that changed: the same answer breaks it now", async () => {
  const short = object({ text: { type: "string", maxLength: 2 } });
  const long = object({ text: { type: "string" } });
  const [old, fresh] = [
    recording(long, structured({ text: "abc" })),
    recording(short, structured({ text: "abc" })),
  ];
  expect(await only(old, fresh)).toEqual(at("/structuredContent/text"));
  expect(await only(fresh, old)).toEqual([]);
});

test("a schema that is new and not kept to", async () => {
  const [old, fresh] = [
    recording(undefined, structured({ degrees: "3" })),
    recording(DEGREES, structured({ degrees: "3" })),
  ];
  expect(await only(old, fresh)).toEqual(at("/structuredContent/degrees"));
});

test("a list that one side never asked for is taken from the other", async () => {
  const [good, bad] = [structured({ degrees: 3 }), structured({ degrees: "3" })];
  expect(await only(recording("unlisted", good), recording(DEGREES, bad))).toEqual(
    at("/structuredContent/degrees"),
  );
  expect(await only(recording(DEGREES, good), recording("unlisted", bad))).toEqual(
    at("/structuredContent/degrees"),
  );
  expect(await only(recording("unlisted", bad), recording(DEGREES, { ...bad, n: 1 }))).not.toEqual(
    expect.arrayContaining([expect.stringContaining(RULE)]),
  );
});

test.each([
  ["both break it", structured({ degrees: "2" }), structured({ degrees: "3" })],
  ["the tool fails", structured({ degrees: 2 }), structured({ degrees: "3" }, { isError: true })],
  ["it asks back", structured({ degrees: 2 }), { resultType: "input_required", inputRequests: {} }],
  ["both keep to it", structured({ degrees: 2 }), structured({ degrees: 3 })],
])("no break: %s", async (_, before, after) => {
  const lines = await changeLines(recorded(recording(DEGREES, before)), recorded(recording(DEGREES, after)));
  expect(lines.join()).not.toContain(RULE);
});

test("what was redacted is not known", async () => {
  const id = object({ id: { type: "string", pattern: "^[a-z]+$" } });
  const [old, fresh] = [
    recording(id, structured({ id: "abc" })),
    recording(id, structured({ id: "[redacted:0a1b2c3d]" })),
  ];
  expect(await only(old, fresh)).toEqual([
    `risky answer-value-changed tools/call forecast /structuredContent/id`,
  ]);
});

test("a schema that no validator takes says nothing", async () => {
  const wrong = { type: "object", properties: { degrees: { type: "numeral" } } };
  const [old, fresh] = [
    recording(wrong, structured({ degrees: 3 })),
    recording(wrong, structured({ degrees: "3" })),
  ];
  expect(await only(old, fresh)).toEqual([
    "risky answer-type-changed tools/call forecast /structuredContent/degrees",
  ]);
});
