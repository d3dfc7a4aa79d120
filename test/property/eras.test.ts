import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readMessage } from "../../src/protocol/message.ts";
import { META } from "../../src/protocol/revisions.ts";
import { legacyOutcome, modernOutcome } from "../../src/replay/eras/outcomes.ts";
import { bytesOf, client, type LiveClient, server, tape, textOf, textsOf } from "../cases/tape.ts";
import { objectText, runs } from "./json-texts.ts";
import { answering, anyId, anyPlan, asking, type Plan, replying, scriptOf } from "./replay-arbitraries.ts";

/** A recording of one era before clients of the other: the same answers, to the byte. */

const METHODS = ["tools/call", "tools/list", "resources/read", "prompts/get", "completion/complete", "x/y"];
/** Members to which an era gives a meaning of its own: those have tests of their own. */
const MEANT = new Set(["_meta", "resultType", "ttlMs", "cacheScope", "task", "structuredContent", "tools"]);
const CAPABILITIES = { elicitation: { form: {} } };
const MODERN = `"${META.protocolVersion}":"2026-07-28","${META.clientCapabilities}":${JSON.stringify(CAPABILITIES)}`;

/** The text of a request under modern metadata. */
const modernised = (text: string): string =>
  text.includes('"_meta":{')
    ? text.replace('"_meta":{', `"_meta":{${MODERN},`)
    : text.replace(/}}$/, `,"_meta":{${MODERN}}}}`);

const plainResult = objectText.filter((text) => !Object.keys(JSON.parse(text)).some((key) => MEANT.has(key)));

describe("a result", () => {
  test("that was put into the modern era and taken out again is the same text", () => {
    fc.assert(
      fc.property(plainResult, fc.constantFrom(...METHODS), anyId, (result, method, id) => {
        const legacy = `{"result":${result}, "jsonrpc":"2.0","id":${id}}`;
        const info = bytesOf('{"name":"n"}');
        const modern = modernOutcome(readMessage(bytesOf(legacy)), method, info) as Uint8Array;
        expect(JSON.parse(textOf(modern)).result).toMatchObject({ resultType: "complete" });
        const request = readMessage(bytesOf(`{"id":1,"method":"${method}"}`));
        expect(textOf(legacyOutcome(readMessage(modern), request) as Uint8Array)).toBe(legacy);
      }),
      runs(500),
    );
  });
});

/** Every answer a recording of these plans holds, with the questions in the order in which they are asked. */
function inOrder(plans: readonly Plan[]): readonly { readonly plan: Plan; readonly nth: number }[] {
  return plans.map((plan, nth) => ({ plan, nth }));
}

const asksOf = ({ doings }: Plan, nth: number): string[] =>
  doings.flatMap((doing, index) => (doing === "ask" ? [`x${nth}.${index}`] : []));

describe("a legacy recording before a modern client", () => {
  /** Asks until there is an answer, and answers what is asked in between as it was when it was recorded. */
  function askThrough(live: LiveClient, question: number, id: string): { asked: string[]; last: string } {
    const asked: string[] = [];
    let request = modernised(asking(id, question, '"live"'));
    for (;;) {
      const texts = textsOf(live.act(request));
      const last = texts.at(-1) as string;
      for (const text of texts.slice(0, -1)) {
        expect(JSON.parse(text)).toMatchObject({
          method: "notifications/progress",
          params: { progressToken: "live" },
        });
      }
      const { result } = JSON.parse(last);
      if (result?.resultType !== "input_required") return { asked, last };
      const [[key, input]] = Object.entries(result.inputRequests) as [
        [string, { params: { message: string } }],
      ];
      asked.push(input.params.message);
      const responses = JSON.stringify({ [key]: { to: input.params.message } });
      const state = JSON.stringify(result.requestState);
      const first = modernised(asking(id, question, '"live"'));
      request = first.replace(
        '"params":{',
        `"params":{"inputResponses":${responses},"requestState":${state},`,
      );
    }
  }

  test("asks and answers what was asked and answered", () => {
    fc.assert(
      fc.property(fc.array(anyPlan, { minLength: 1, maxLength: 6 }), anyId, (plans, id) => {
        const recorded = tape([
          client('{"jsonrpc":"2.0","id":"i","method":"initialize","params":{}}'),
          server('{"jsonrpc":"2.0","id":"i","result":{"protocolVersion":"2025-11-25"}}'),
          ...plans.flatMap((plan, nth) => scriptOf(plan, nth)),
        ]);
        const live = recorded.connect();
        for (const { plan, nth } of inOrder(plans)) {
          const { asked, last } = askThrough(live, plan.question, id);
          expect(asked).toEqual(asksOf(plan, nth));
          const legacy = readMessage(bytesOf(asking(id, plan.question)));
          const back = textOf(legacyOutcome(readMessage(bytesOf(last)), legacy) as Uint8Array);
          expect(back).toBe(answering(id, plan, nth));
        }
        expect(recorded.player.report()).toMatchObject({ misses: [], differentAnswers: [], repeats: [] });
      }),
      runs(150),
    );
  });
});

describe("a modern recording before a legacy client", () => {
  /** The same exchanges as a modern server has them. */
  function modernScript(plan: Plan, nth: number) {
    const first = modernised(asking(String(nth), plan.question, `"x${nth}"`));
    const entries = [client(first)];
    for (const name of asksOf(plan, nth)) {
      const inputs = `{"k":{"method":"elicitation/create","params":{"message":"${name}"}}}`;
      const required = `{"resultType":"input_required","inputRequests":${inputs},"requestState":"${name}"}`;
      entries.push(server(`{"jsonrpc":"2.0","id":${nth},"result":${required}}`));
      const answers = `"inputResponses":{"k":{"to":"${name}"}},"requestState":"${name}",`;
      entries.push(client(first.replace('"params":{', `"params":{${answers}`)));
    }
    const answer = answering(String(nth), plan, nth);
    entries.push(server(answer.replace('"result":{', '"result":{"resultType":"complete",')));
    return entries;
  }

  test("asks and answers what was asked and answered", () => {
    fc.assert(
      fc.property(fc.array(anyPlan, { minLength: 1, maxLength: 6 }), anyId, (plans, id) => {
        const named = `{"resultType":"complete","_meta":{"${META.serverInfo}":{"name":"n"}}}`;
        const recorded = tape([
          ...plans.flatMap((plan, nth) => modernScript(plan, nth)),
          client(modernised('{"jsonrpc":"2.0","id":"n","method":"x","params":{"a":1}}')),
          server(`{"jsonrpc":"2.0","id":"n","result":${named}}`),
        ]);
        const live = recorded.connect();
        const capabilities = JSON.stringify(CAPABILITIES);
        const version = '"protocolVersion":"2025-11-25"';
        live.act(`{"id":"i","method":"initialize","params":{${version},"capabilities":${capabilities}}}`);
        for (const { plan, nth } of inOrder(plans)) {
          let texts = textsOf(live.act(asking(id, plan.question)));
          const asked: string[] = [];
          for (;;) {
            const said = JSON.parse(texts.at(-1) as string);
            if (said.method !== "elicitation/create") break;
            asked.push(said.params.message);
            texts = textsOf(live.act(replying(said.id, said.params.message)));
          }
          expect(asked).toEqual(asksOf(plan, nth));
          expect(texts).toEqual([answering(id, plan, nth)]);
        }
        expect(recorded.player.report()).toMatchObject({ misses: [], differentAnswers: [], repeats: [] });
      }),
      runs(150),
    );
  });
});
