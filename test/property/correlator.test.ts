import fc from "fast-check";
import { expect, test } from "vitest";
import type { Entry } from "../../src/exchange/entry.ts";
import type { Exchange } from "../../src/exchange/exchange.ts";
import { readMessage } from "../../src/protocol/message.ts";
import { bytesOf, client, closed, exchangesOf, server, textOf } from "../cases/tape.ts";
import { anyPlan, anyTurns, merged, scriptOf } from "./replay-arbitraries.ts";

const check = <T>(property: fc.IProperty<T>, numRuns = 300): void =>
  fc.assert(property, { seed: Number(process.env.FC_SEED ?? 1), numRuns });

const anySmallId = fc.constantFrom("0", "1", '"1"', "null", "2.0", "2", '""');
const anyMessage = fc.oneof(
  fc
    .tuple(
      anySmallId,
      fc.constantFrom("a", "initialize", "subscriptions/listen", "resources/subscribe", "ping"),
    )
    .map(
      ([id, method]) =>
        `{"id":${id},"method":"${method}","params":{"uri":"u","_meta":{"progressToken":${id}}}}`,
    ),
  anySmallId.map((id) => `{"id":${id},"result":{}}`),
  fc.option(anySmallId, { nil: undefined }).map((id) => `{${id ? `"id":${id},` : ""}"error":{"code":1}}`),
  fc
    .tuple(
      anySmallId,
      fc.constantFrom(
        "notifications/progress",
        "notifications/cancelled",
        "notifications/initialized",
        "notifications/tools/list_changed",
        "notifications/resources/updated",
        "notifications/subscriptions/acknowledged",
      ),
    )
    .map(
      ([id, method]) =>
        `{"method":"${method}","params":{"uri":"u","progressToken":${id},"requestId":${id},"_meta":{"io.modelcontextprotocol/subscriptionId":${id}}}}`,
    ),
);
const anyFrame = fc.oneof(
  { weight: 8, arbitrary: anyMessage },
  { weight: 1, arbitrary: fc.array(anyMessage, { maxLength: 3 }).map((all) => `[${all.join(",")}]`) },
  { weight: 1, arbitrary: fc.constantFrom("noise", "7", "{}", "") },
);
const anyOn = fc.option(
  fc.oneof(
    fc.constantFrom("get" as const, "post" as const, "delete" as const),
    anySmallId.map((id) => ({ id })),
  ),
  { nil: undefined },
);
const anyHttp = fc.option(
  fc.record({
    method: fc.constantFrom("POST", "GET", "DELETE"),
    status: fc.constantFrom(200, 202, 400, 401),
  }),
  { nil: undefined },
);

/** Anything, in any order. */
const anyEntry: fc.Arbitrary<Entry> = fc
  .record({
    from: fc.constantFrom("client" as const, "server" as const),
    said: fc.option(anyFrame, { nil: undefined }),
    session: fc.constantFrom(1, 1, 1, 2),
    on: anyOn,
    http: anyHttp,
    event: fc.option(fc.constantFrom({ id: "e" }, { name: "endpoint" }), { nil: undefined, freq: 5 }),
    end: fc.boolean(),
  })
  .map(({ from, said, end, ...extra }) =>
    said === undefined && end
      ? closed(from, { reason: "x" }, extra)
      : (from === "client" ? client : server)(said, extra),
  );

/** The places of an exchange: where it begins, and its steps'. */
function placesOf({ entry, item, steps }: Exchange): string[] {
  const all = steps.filter(({ role }) => role !== "crash");
  return [{ entry, item }, ...all].map((place) => `${place.entry}.${place.item}`);
}

test("whatever comes, no message is in two places, and steps keep their order", () => {
  check(
    fc.property(fc.array(anyEntry, { maxLength: 40 }), fc.boolean(), (entries, sharedStream) => {
      const exchanges = exchangesOf(entries, sharedStream);
      const places = exchanges.flatMap(placesOf);
      expect(new Set(places).size).toBe(places.length);
      for (const { steps } of exchanges) {
        // A reply from a pipe may stand before its question.
        const order = steps.map((step) => (step.after ?? step).entry * 100 + (step.after ?? step).item);
        expect(order).toEqual([...order].sort((a, b) => a - b));
      }
      // What a subscription brings may follow what was done on another connection.
      for (const { steps, session } of exchanges) {
        for (const { entry, listener } of steps) {
          expect(entries[entry]?.session).toBe(listener?.session ?? session);
        }
      }
    }),
    1000,
  );
});

/** What an entry says of the exchange it was made for: its number is in every name. */
function numberOf(entry: Entry): string | undefined {
  const message = readMessage(entry.body?.bytes ?? bytesOf(""));
  const text = textOf(message.bytes);
  if (message.method === "tools/call" || text.includes('"nth"') || text.includes('"no ')) return message.id;
  return /"x(\d+)/.exec(text)?.[1];
}

const anyParallel = fc.tuple(fc.array(anyPlan, { minLength: 1, maxLength: 6 }), anyTurns);

test("in a recording of parallel exchanges every message is in one place, and what is linked in its own", () => {
  check(
    fc.property(anyParallel, ([plans, turns]) => {
      const entries = merged(
        plans.map((plan, nth) => scriptOf(plan, nth)),
        turns,
      );
      const exchanges = exchangesOf(entries);
      const places = exchanges.flatMap(placesOf);
      expect([...places].sort()).toEqual(entries.map((_, ordinal) => `${ordinal}.-1`).sort());
      for (const { id, steps } of exchanges) {
        for (const { role, progress, entry } of steps) {
          if (role === "outcome" || progress) expect(numberOf(entries[entry] as Entry)).toBe(id);
        }
        const asks = steps.filter(({ role }) => role === "ask").map((step) => step.id);
        const replies = steps.filter(({ role }) => role === "reply").map((step) => step.id);
        expect([...replies].sort()).toEqual([...asks].sort());
        expect(steps.at(-1)?.role).toBe("outcome");
      }
    }),
  );
});

test("where response streams tell exchanges apart, everything is in its own", () => {
  check(
    fc.property(anyParallel, ([plans, turns]) => {
      const entries = merged(
        plans.map((plan, nth) => scriptOf(plan, nth, { on: { id: String(nth) } })),
        turns,
      );
      for (const { id, steps } of exchangesOf(entries, false)) {
        for (const { entry } of steps) expect(numberOf(entries[entry] as Entry)).toBe(id);
      }
    }),
  );
});

test("one after the other, everything is in its own, without any link", () => {
  check(
    fc.property(fc.array(anyPlan, { maxLength: 6 }), (plans) => {
      const entries = plans.flatMap((plan, nth) => scriptOf(plan, nth));
      for (const { id, steps } of exchangesOf(entries)) {
        for (const { entry } of steps) expect(numberOf(entries[entry] as Entry)).toBe(id);
      }
    }),
  );
});
