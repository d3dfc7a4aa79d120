import { describe, expect, test } from "vitest";
import { Bench, type Json, modern, textIn } from "./support.ts";

const FORM = "{ message: Where?, requestedSchema: { type: object, properties: { city: { type: string } } } }";

const TRIP = `scenario: 1
server: { name: s, version: "1" }
tools:
  - name: trip
    replies:
      - ask:
          city: { elicit: ${FORM} }
          plan: { sample: { messages: [{ role: user, content: { type: text, text: Plan } }], maxTokens: 10 } }
        replies:
          - { when: { city: { action: accept } }, text: "\${answers.city.content.city}: \${answers.plan.content.text}" }
          - text: "\${answers.city.action}"
`;

const ABLE = { elicitation: { form: {} }, sampling: {}, roots: {} };
const SAMPLED = { role: "assistant", model: "m", content: { type: "text", text: "walk" } };

describe("the client is asked", () => {
  test("by requests of the server, one after the other, in the legacy era", async () => {
    const bench = await Bench.of(TRIP);
    bench.initialize("2025-11-25", ABLE);
    const [elicit] = bench.request("tools/call", { name: "trip" }, "t") as [Json];
    expect(elicit).toMatchObject({ method: "elicitation/create", params: { message: "Where?" } });
    expect(bench.sent.at(-1)?.on).toBe('"t"');
    bench.send({ id: elicit.id, result: { action: "accept", content: { city: "Oslo" } } });
    const sample = bench.sent.at(-1)?.message as Json;
    expect(sample).toMatchObject({ method: "sampling/createMessage", params: { maxTokens: 10 } });
    bench.send({ id: sample.id, result: SAMPLED });
    expect(textIn(bench.answerTo("t"))).toBe("Oslo: walk");
  });

  test("by an answer that asks, and the request sent again, in the modern era", async () => {
    const bench = await Bench.of(TRIP);
    const { result } = bench.ask("tools/call", { name: "trip", ...modern(ABLE) }) as { result: Json };
    expect(result).toMatchObject({
      resultType: "input_required",
      inputRequests: { city: { method: "elicitation/create" }, plan: { method: "sampling/createMessage" } },
    });
    const inputResponses = { city: { action: "accept", content: { city: "Oslo" } }, plan: SAMPLED };
    const again = { name: "trip", requestState: result.requestState, inputResponses, ...modern(ABLE) };
    expect(textIn(bench.ask("tools/call", again))).toBe("Oslo: walk");
    // Another connection may be told the rest.
    expect(textIn((await Bench.of(TRIP)).ask("tools/call", again))).toBe("Oslo: walk");
  });

  test("again for what it left out, keeping what it said", async () => {
    const bench = await Bench.of(TRIP);
    const first = bench.ask("tools/call", { name: "trip", ...modern(ABLE) }).result as Json;
    const inputResponses = { city: { action: "decline" } };
    const second = bench.ask("tools/call", {
      name: "trip",
      requestState: first.requestState,
      inputResponses,
      ...modern(ABLE),
    });
    expect(Object.keys((second.result as Json).inputRequests as Json)).toEqual(["city", "plan"].slice(1));
  });

  test.each<[string, (state: string) => Json]>([
    ["changed", (state) => ({ name: "trip", requestState: `${state}x` })],
    ["that is none", () => ({ name: "trip", requestState: "AAAA.bbb" })],
    ["of another request", (state) => ({ name: "trip", arguments: { a: 1 }, requestState: state })],
  ])("and a requestState %s is refused", async (_, params) => {
    const bench = await Bench.of(TRIP);
    const first = bench.ask("tools/call", { name: "trip", ...modern(ABLE) }).result as Json;
    const answer = bench.ask("tools/call", { ...params(first.requestState as string), ...modern(ABLE) });
    expect(answer.error).toMatchObject({ code: -32602 });
  });

  test("not at all where the request brings the answers along", async () => {
    const bench = await Bench.of(TRIP);
    const inputResponses = { city: { action: "decline" }, plan: SAMPLED, unasked: 5 };
    expect(textIn(bench.ask("tools/call", { name: "trip", inputResponses, ...modern(ABLE) }))).toBe(
      "decline",
    );
  });

  test.each<[unknown, string]>([
    [{ city: 12345 }, "inputResponses: city: it must be an object"],
    [{ city: { action: "perhaps" } }, "inputResponses: city: action must be accept, decline or cancel"],
    [{ city: { action: "accept", content: 1 } }, "inputResponses: city: content must be an object"],
    [{ plan: { content: { type: "text", text: "walk" } } }, "inputResponses: plan: role must be there"],
    [{ plan: { role: "assistant" } }, "inputResponses: plan: content must be there"],
    [null, "inputResponses must be an object"],
  ])("and an answer that is none is refused: %j", async (inputResponses, why) => {
    const bench = await Bench.of(TRIP);
    const answer = bench.ask("tools/call", { name: "trip", inputResponses, ...modern(ABLE) });
    expect(answer.error).toEqual({ code: -32602, message: `Invalid params: ${why}` });
    // It is over: nothing of it is left to be cancelled.
    expect(bench.misses).toEqual([]);
  });

  describe("with a form, which must come filled in as it asks", () => {
    const form = (validate: boolean) => `scenario: 1
tools:
  - name: trip
    validate: ${validate}
    replies:
      - ask: { n: { elicit: { message: m, requestedSchema: { type: object, required: [n], properties: { n: { type: integer, maximum: 5 } } } } } }
        text: "\${answers.n.content.n:-none}"
`;
    const REFUSED: readonly (readonly [string, Json, string])[] = [
      ["another type", { action: "accept", content: { n: "1" } }, "/n must be integer"],
      ["out of bounds", { action: "accept", content: { n: 6 } }, "/n must be <= 5"],
      ["left out", { action: "accept" }, "/ must have required property 'n'"],
    ];
    const expected = (fault: string) => ({
      code: -32602,
      message: `Invalid params: the answer to n: its requestedSchema refuses the content: ${fault}`,
    });

    test.each(REFUSED)("%s, in the legacy era", async (_, answer, fault) => {
      const bench = await Bench.of(form(true));
      bench.initialize("2025-11-25", ABLE);
      const [elicit] = bench.request("tools/call", { name: "trip" }, "t") as [Json];
      bench.send({ id: elicit.id, result: answer });
      expect(bench.answerTo("t").error).toEqual(expected(fault));
    });

    test.each(REFUSED)("%s, in the modern era", async (_, answer, fault) => {
      const bench = await Bench.of(form(true));
      const { result } = bench.ask("tools/call", { name: "trip", ...modern(ABLE) }) as { result: Json };
      const retry = { name: "trip", requestState: result.requestState, inputResponses: { n: answer } };
      expect(bench.ask("tools/call", { ...retry, ...modern(ABLE) }).error).toEqual(expected(fault));
    });

    test("what is no answer at all, in the legacy era too", async () => {
      const bench = await Bench.of(form(true));
      bench.initialize("2025-11-25", ABLE);
      const [elicit] = bench.request("tools/call", { name: "trip" }, "t") as [Json];
      bench.send({ id: elicit.id, result: {} });
      expect(bench.answerTo("t").error).toMatchObject({ code: -32602 });
    });

    test.each<[string, boolean, Json, string]>([
      ["as it asks", true, { action: "accept", content: { n: 5 } }, "5"],
      ["declined", true, { action: "decline" }, "none"],
      ["anyhow, without validate", false, { action: "accept", content: { n: "six" } }, "six"],
    ])("%s", async (_, validate, answer, text) => {
      const bench = await Bench.of(form(validate));
      bench.initialize("2025-11-25", ABLE);
      const [elicit] = bench.request("tools/call", { name: "trip" }, "t") as [Json];
      bench.send({ id: elicit.id, result: answer });
      expect(textIn(bench.answerTo("t"))).toBe(text);
    });

    test("what is no answer at all, without validate, in the modern era too", async () => {
      const bench = await Bench.of(form(false));
      const params = { name: "trip", inputResponses: { n: {} }, ...modern(ABLE) };
      expect(textIn(bench.ask("tools/call", params))).toBe("none");
    });
  });

  test("and what it declines leads elsewhere", async () => {
    const bench = await Bench.of(TRIP);
    bench.initialize("2025-11-25", ABLE);
    const [elicit] = bench.request("tools/call", { name: "trip" }, "t") as [Json];
    bench.send({ id: elicit.id, result: { action: "decline" } });
    bench.send({ id: bench.sent.at(-1)?.message.id, error: { code: -1, message: "no" } });
    expect(textIn(bench.answerTo("t"))).toBe("decline");
  });

  test("only for what it declares", async () => {
    const bench = await Bench.of(TRIP);
    const answer = bench.ask("tools/call", { name: "trip", ...modern({ elicitation: {} }) });
    expect(answer.error).toMatchObject({ code: -32021, data: { requiredCapabilities: { sampling: {} } } });
    bench.initialize("2025-11-25", {});
    bench.call("trip");
    expect(bench.misses[0]).toMatchObject({
      reason: "unfit",
      why: expect.stringContaining("did not declare"),
    });
    bench.initialize("2024-11-05", ABLE);
    bench.call("trip");
    expect(bench.misses[1]?.why).toContain("2024-11-05 does not have");
  });

  test("to open a page, whose end is told of where the revision has that", async () => {
    const bench = await Bench.of(`scenario: 1
tools:
  - name: pay
    replies: [{ ask: { paid: { elicit: { mode: url, message: Pay, url: "https://example.com/pay", completes: 1s } } }, text: thanks }]
`);
    bench.initialize("2025-11-25", { elicitation: { url: {} } });
    const [elicit] = bench.request("tools/call", { name: "pay" }, "p") as [{ id: unknown; params: Json }];
    expect(elicit.params).toMatchObject({ mode: "url", elicitationId: expect.any(String) });
    bench.send({ id: elicit.id, result: { action: "accept" } });
    bench.time.pass(1000);
    expect(bench.sent.at(-1)?.message).toMatchObject({
      method: "notifications/elicitation/complete",
      params: { elicitationId: elicit.params.elicitationId },
    });
    const asked = bench.ask("tools/call", { name: "pay", ...modern({ elicitation: { url: {} } }) })
      .result as Json;
    expect((asked.inputRequests as { paid: Json }).paid.params).toEqual({
      mode: "url",
      message: "Pay",
      url: "https://example.com/pay",
    });
  });

  test("and nothing more is sent once it cancels", async () => {
    const bench = await Bench.of(TRIP);
    bench.initialize("2025-11-25", ABLE);
    const [elicit] = bench.request("tools/call", { name: "trip" }, 5) as [Json];
    bench.send({ method: "notifications/cancelled", params: { requestId: 5 } });
    const sent = bench.sent.length;
    bench.send({ id: elicit.id, result: { action: "decline" } });
    expect(bench.sent).toHaveLength(sent);
  });
});
