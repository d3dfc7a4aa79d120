import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { generated, NotGenerated } from "../../src/scenario/generate.ts";
import type { Scenario } from "../../src/scenario/model.ts";
import { Bench, type Json, load, modern, schemas } from "../unit/scenario/support.ts";

const params = (numRuns: number) => ({ seed: Number(process.env.FC_SEED ?? 1), numRuns });

const scenario = async (): Promise<Scenario> => {
  await schemas.load();
  return load({ "everything.yaml": readFileSync("src/scenario/ready/everything.yaml", "utf8") });
};

/** One thing that a client does, as it says it and how long it waits then. */
interface Move {
  readonly method: string;
  readonly params: Json;
  readonly pause: number;
}

const city = fc.constantFrom("Oslo", "Bergen", "Berlin", "Atlantis", "Slowville", "Rome", "a".repeat(20));
const call = fc.oneof(
  fc
    .record({ city, days: fc.option(fc.integer({ min: 0, max: 12 }), { nil: undefined }) })
    .map((args): [string, Json] => ["forecast", args]),
  fc
    .constantFrom("poll", "whoami", "reading", "work", "book", "summarize", "unlock", "secret", "none")
    .map((name): [string, Json] => [name, {}]),
  fc.constantFrom("Ada", "Alan").map((name): [string, Json] => ["login", { name }]),
);
const asked: fc.Arbitrary<[string, Json]> = fc.oneof(
  {
    arbitrary: call.map(([name, args]) => ["tools/call", { name, arguments: args }] as [string, Json]),
    weight: 6,
  },
  {
    arbitrary: fc
      .constantFrom("", "nonsense", undefined)
      .map((cursor) => ["tools/list", { cursor }] as [string, Json]),
    weight: 1,
  },
  {
    arbitrary: fc
      .constantFrom("weather://stations/x?unit=k", "w://none")
      .map((uri) => ["resources/read", { uri }] as [string, Json]),
    weight: 1,
  },
  {
    arbitrary: fc
      .constantFrom("weather://stations")
      .map((uri) => ["resources/subscribe", { uri }] as [string, Json]),
    weight: 1,
  },
);
const moves = fc.array(
  fc.record({ asked, pause: fc.constantFrom(0, 0, 1, 10, 100), progress: fc.boolean() }).map(
    ({ asked: [method, own], pause, progress }): Move => ({
      method,
      params: progress ? { ...own, _meta: { progressToken: "p" } } : own,
      pause,
    }),
  ),
  { maxLength: 15 },
);

/** A client that says all this, step by step, so that others can come between. */
class Walker {
  readonly bench: Bench;
  readonly #moves: readonly Move[];
  readonly #isModern: boolean;
  #at = -1;
  #answered = 0;

  constructor(server: Scenario, session: { readonly moves: readonly Move[]; readonly isModern: boolean }) {
    this.bench = new Bench(server);
    this.#moves = session.moves;
    this.#isModern = session.isModern;
  }

  /** False once it has said all. */
  step(): boolean {
    if (this.#at === -1) {
      if (!this.#isModern) this.bench.initialize("2025-11-25", { elicitation: {}, sampling: {} });
      this.#at = 0;
      return true;
    }
    const move = this.#moves[this.#at++];
    if (!move) return false;
    const meta = this.#isModern
      ? { ...modern({ elicitation: {} })._meta, ...(move.params._meta as Json | undefined) }
      : undefined;
    this.bench.request(move.method, meta ? { ...move.params, _meta: meta } : move.params, 100 + this.#at);
    this.bench.time.pass(move.pause);
    for (; this.#answered < this.bench.sent.length; this.#answered++)
      this.#answer(this.bench.sent[this.#answered]?.message);
    return true;
  }

  #answer(message: Json | undefined): void {
    if (message?.id === undefined || message.method === undefined) return;
    const result =
      message.method === "elicitation/create"
        ? { action: "accept", content: { city: "Rome" } }
        : { content: { type: "text", text: "s" } };
    this.bench.send({ id: message.id, result });
  }

  walk(): string[] {
    while (this.step());
    this.bench.time.pass(10_000);
    return this.bench.texts;
  }
}

const session = fc.record({ moves, isModern: fc.boolean() });

test("the same messages at the same times have the same answers, to the byte", async () => {
  const server = await scenario();
  fc.assert(
    fc.property(session, (one) => {
      expect(new Walker(server, one).walk()).toEqual(new Walker(server, one).walk());
    }),
    params(100),
  );
});

test("whoever else is served meanwhile", async () => {
  const server = await scenario();
  fc.assert(
    fc.property(
      fc.array(session, { minLength: 2, maxLength: 4 }),
      fc.array(fc.nat(), { minLength: 1 }),
      (all, order) => {
        const together = all.map((one) => new Walker(server, one));
        let rest = [...together];
        for (let turn = 0; rest.length > 0; turn++) {
          const chosen = rest[(order[turn % order.length] as number) % rest.length] as Walker;
          if (!chosen.step()) rest = rest.filter((each) => each !== chosen);
        }
        expect(together.map((each) => each.walk())).toEqual(all.map((one) => new Walker(server, one).walk()));
      },
    ),
    params(40),
  );
});

/** Schemas that values can be made for, with all that does not contradict itself. */
const { schema } = fc.letrec<{ schema: Json; leaf: Json }>((tie) => ({
  leaf: fc.oneof(
    fc
      .record({ least: fc.integer({ min: -50, max: 50 }), range: fc.nat(100), whole: fc.boolean() })
      .map(({ least, range, whole }) => ({
        type: whole ? "integer" : "number",
        minimum: least,
        maximum: least + range,
      })),
    fc
      .record({ least: fc.nat(20), range: fc.nat(20) })
      .map(({ least, range }) => ({ type: "string", minLength: least, maxLength: least + range })),
    fc
      .constantFrom("date-time", "date", "email", "uri", "uuid", "ipv4")
      .map((format) => ({ type: "string", format })),
    fc
      .uniqueArray(fc.jsonValue({ maxDepth: 1 }), {
        minLength: 1,
        maxLength: 3,
        selector: (value) => JSON.stringify(value),
      })
      .map((values) => ({ enum: values })),
    fc.constantFrom("boolean", "null").map((type) => ({ type })),
  ) as fc.Arbitrary<Json>,
  schema: fc.oneof(
    { depthSize: "small" },
    tie("leaf"),
    fc.record({ items: tie("schema"), minItems: fc.nat(2) }).map((list) => ({ type: "array", ...list })),
    fc
      .tuple(fc.dictionary(fc.constantFrom("a", "b", "c/d"), tie("schema")), fc.boolean())
      .map(([properties, closed]) => ({
        type: "object",
        properties,
        required: Object.keys(properties).slice(0, 2),
        ...(closed ? { additionalProperties: false } : {}),
      })),
    fc.array(tie("schema"), { minLength: 1, maxLength: 2 }).map((anyOf) => ({ anyOf })),
  ) as fc.Arbitrary<Json>,
}));

test("what is made from a schema is what the schema describes", async () => {
  const checker = await schemas.load();
  fc.assert(
    fc.property(schema, fc.string(), (made, seed) => {
      try {
        const value = generated(made as never, seed, checker);
        expect(checker.faults(made as never, value)).toEqual([]);
        expect(generated(made as never, seed, checker)).toEqual(value);
      } catch (error) {
        // A number range without a multiple of the step in it.
        if (!(error instanceof NotGenerated && error.message.includes("no number is within"))) throw error;
      }
    }),
    params(60),
  );
});
