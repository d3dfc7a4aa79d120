import { describe, expect, test } from "vitest";
import { Bench, type Json, modern, textIn } from "./support.ts";

const FORM = "requestedSchema: { type: object, properties: { a: { type: string } } }";
const MANY =
  "requestedSchema: { type: object, properties: { a: { type: array, items: { type: string, enum: [x] } } } }";
const SAMPLE = "messages: [{ role: user, content: { type: text, text: Go } }], maxTokens: 9";

const QUESTIONS: Readonly<Record<string, string>> = {
  form: `elicit: { message: m, ${FORM} }`,
  many: `elicit: { message: m, ${MANY} }`,
  url: 'elicit: { mode: url, message: m, url: "https://example.com" }',
  sample: `sample: { ${SAMPLE} }`,
  tools: `sample: { ${SAMPLE}, tools: [{ name: t, inputSchema: { type: object } }] }`,
};

const SCENARIO = `scenario: 1\ntools:\n${Object.entries(QUESTIONS)
  .map(
    ([name, question]) => `  - { name: ${name}, replies: [{ ask: { q: { ${question} } }, text: done }] }\n`,
  )
  .join("")}`;

const BOTH = { elicitation: { form: {}, url: {} }, sampling: { tools: {} } };

describe("a question goes out", () => {
  test.each<[string, string, Json, string | undefined]>([
    ["form", "2025-06-18", { elicitation: {} }, undefined],
    ["form", "2025-11-25", { elicitation: {} }, undefined],
    ["form", "2025-11-25", { elicitation: { form: {} } }, undefined],
    [
      "form",
      "2025-11-25",
      { elicitation: { url: {} } },
      "elicitation.form, and the client did not declare it",
    ],
    ["url", "2025-11-25", { elicitation: { url: {} } }, undefined],
    [
      "url",
      "2025-11-25",
      { elicitation: {} },
      "client: { elicitation: { url: { any: false } } } could answer",
    ],
    ["url", "2025-06-18", BOTH, "elicitation.url, which 2025-06-18 does not have"],
    ["many", "2025-06-18", BOTH, "a choice of several (type: array), which 2025-06-18 does not have"],
    ["many", "2025-11-25", BOTH, undefined],
    ["form", "2025-03-26", BOTH, "elicitation, which 2025-03-26 does not have"],
    ["sample", "2024-11-05", { sampling: {} }, undefined],
    ["tools", "2025-06-18", BOTH, "sampling.tools, which 2025-06-18 does not have"],
    ["tools", "2025-11-25", { sampling: {} }, "sampling.tools, and the client did not declare it"],
    ["tools", "2025-11-25", BOTH, undefined],
  ])("%s, to a client of %s with %j: %s", async (name, version, capabilities, why) => {
    const bench = await Bench.of(SCENARIO);
    bench.initialize(version, capabilities);
    const [first] = bench.request("tools/call", { name }, "q") as [Json];
    expect(bench.misses.map((miss) => miss.why)).toEqual(
      why === undefined ? [] : [expect.stringContaining(why)],
    );
    expect(first.method === undefined).toBe(why !== undefined);
  });

  test.each<[string, Json, Json]>([
    ["form", { elicitation: { url: {} } }, { elicitation: { form: {} } }],
    ["url", { elicitation: { form: {} } }, { elicitation: { url: {} } }],
    ["tools", { sampling: {} }, { sampling: { tools: {} } }],
    ["sample", {}, { sampling: {} }],
  ])("%s, in the modern era, not to a client with %j", async (name, capabilities, requiredCapabilities) => {
    const bench = await Bench.of(SCENARIO);
    const { error } = bench.ask("tools/call", { name, ...modern(capabilities) });
    expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities } });
  });
});

describe("a reply that answers once", () => {
  test("takes the same requestState once", async () => {
    const bench = await Bench.of(
      `scenario: 1\ntools: [{ name: f, replies: [{ times: 1, ask: { q: { ${QUESTIONS.form} } }, text: done }] }]\n`,
    );
    const { result } = bench.ask("tools/call", { name: "f", ...modern(BOTH) }) as { result: Json };
    const again = (answer: Json) => ({
      name: "f",
      requestState: result.requestState,
      inputResponses: { q: answer },
      ...modern(BOTH),
    });
    // What is no answer is not taken.
    expect(bench.ask("tools/call", again({ action: "?" })).error).toMatchObject({ code: -32602 });
    expect(textIn(bench.ask("tools/call", again({ action: "decline" })))).toBe("done");
    expect(bench.ask("tools/call", again({ action: "decline" })).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining("requestState was used"),
    });
  });
});
