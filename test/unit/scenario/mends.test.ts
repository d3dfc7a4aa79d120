import { describe, expect, test } from "vitest";
import { Bench, modern, schemas } from "./support.ts";

/** What mends the last miss of a client that calls a tool. */
async function mendOf(text: string, name: string, args: Record<string, unknown> = {}): Promise<unknown> {
  const bench = await Bench.of(text);
  bench.initialize();
  bench.call(name, args);
  return bench.misses.at(-1)?.fix;
}

describe("something hidden", () => {
  const TEXT = `scenario: 1
tools:
  - { name: late, hidden: true, replies: [{ text: x }] }
  - { name: now, replies: [{ steps: [{ show: { tools: [late], resources: ["w://a"], prompts: [greet] } }], text: x }] }
resources: [{ uri: "w://a", hidden: true, replies: [{ text: x }] }]
prompts: [{ name: greet, hidden: true, replies: [{ text: x }] }]
`;

  test.each([
    ["tools/call", { name: "late" }, 'tool "late"', 'show: { tools: ["late"] }'],
    ["resources/read", { uri: "w://a" }, 'resource "w://a"', 'show: { resources: ["w://a"] }'],
    ["prompts/get", { name: "greet" }, 'prompt "greet"', 'show: { prompts: ["greet"] }'],
  ])("is told to be there, and what shows it: %s", async (method, params, what, show) => {
    const bench = await Bench.of(TEXT);
    bench.initialize();
    bench.ask(method, params);
    const [miss] = bench.misses;
    expect(miss?.why).toBe(`The ${what} is hidden now, so it answers nobody until it is shown.`);
    expect(miss?.fix).toContain(show);
    bench.call("now");
    bench.ask(method, params);
    expect(bench.misses).toHaveLength(1);
  });
});

describe("what to write", () => {
  test("is structured content where the tool promises it", async () => {
    const tool =
      "{ name: f, outputSchema: { type: object }, replies: [{ when: { a: 1 }, structuredContent: {} }] }";
    expect(await mendOf(`scenario: 1\ntools:\n  - ${tool}\n`, "f", { a: 2 })).toBe(
      'add to the replies of tools/call f (s.yaml:3): - { when: {"a":2}, structuredContent: … }',
    );
  });

  test.each(["legacy", "modern"])("is a reply to the answers, under what asked (%s)", async (era) => {
    const bench = await Bench.of(`scenario: 1
tools:
  - name: book
    replies:
      - when: { other: 1 }
        text: x
      - ask: { trip: { elicit: { message: m, requestedSchema: { type: object, properties: {} } } } }
        replies:
          - { when: { trip: { action: accept } }, text: x }
`);
    const answer = { action: "decline" };
    if (era === "legacy") {
      bench.initialize("2025-11-25", { elicitation: {} });
      bench.request("tools/call", { name: "book" });
      const asked = bench.sent.at(-1)?.message;
      bench.send({ id: asked?.id, result: answer });
    } else {
      const params = { name: "book", inputResponses: { trip: answer }, ...modern({ elicitation: {} }) };
      bench.ask("tools/call", params);
    }
    expect(bench.misses.at(-1)?.fix).toBe(
      'add to the replies under the ask of tools/call book (s.yaml:7): - { when: {"trip":{"action":"decline"}}, text: … }',
    );
  });

  test("of a cassette goes into the scenario that extends it", async () => {
    const recorded = { scenario: 1, tools: [{ name: "f", replies: [{ when: { a: 1 }, text: "x" }] }] };
    const held = { "own.yaml": "scenario: 1\nextends: tape.yaml\n" };
    await schemas.load();
    const { loadScenario } = await import("../../../src/scenario/load-scenario.ts");
    const scenario = await loadScenario("own.yaml", {
      resolve: (_, named) => named,
      open: async (file) =>
        file === "own.yaml" ? { text: held["own.yaml"] } : { value: recorded, recorded: true },
    });
    const bench = new Bench(scenario);
    bench.initialize();
    bench.call("f", { a: 2 });
    expect(bench.misses[0]?.fix).toBe(
      'give tools/call f all its replies anew in own.yaml:2, where those of tape.yaml are extended: - { when: {"a":2}, text: … }',
    );
  });
});

test("a reply that does not do is told by its own line, and one of a sequence too", async () => {
  const text = `scenario: 1
tools:
  - name: f
    replies:
      - when: { a: 1 }
        text: x
      - sequence:
          - text: x
          - text: \${args.b}
`;
  const bench = await Bench.of(text);
  bench.initialize();
  bench.call("f");
  bench.call("f");
  expect(bench.misses[0]?.fix).toBe("mend the reply in s.yaml:9");
});
