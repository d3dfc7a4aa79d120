import type { Ask, Reply, TaskPlan, Turn } from "./model.ts";

type Question = readonly [name: string, ask: Ask];

export interface PlacedTurn {
  readonly turn: Turn;
  readonly reply: Reply;
  /** Questions that the client has answered when it is there. */
  readonly answered: readonly Question[];
}

/** What becomes of a request for what has nothing but an `outputSchema`. */
export const GENERATED: Turn = {
  id: "",
  place: undefined,
  steps: [],
  set: undefined,
  task: true,
  outcome: { kind: "generate" },
};

/** All turns of replies, those under `replies` of another one too. */
export function* eachTurn(
  replies: readonly Reply[],
  answered: readonly Question[] = [],
): Iterable<PlacedTurn> {
  for (const reply of replies) {
    for (const turn of reply.turns) {
      yield { turn, reply, answered };
      if (turn.outcome.kind !== "replies") continue;
      yield* eachTurn(turn.outcome.replies, [...answered, ...askedIn(turn)]);
    }
  }
}

/** What is written of the task that a turn, or what it leads to, becomes. */
export function taskStepOf({ steps, outcome }: Turn): TaskPlan | undefined {
  const step = steps.find(({ kind }) => kind === "task");
  if (step?.kind === "task") return step.plan;
  const following = outcome.kind === "replies" ? outcome.replies.flatMap(({ turns }) => turns) : [];
  return following.map(taskStepOf).find((plan) => plan !== undefined);
}

export function askedIn({ steps }: Turn): readonly Question[] {
  return steps.flatMap((step) => (step.kind === "ask" ? [...step.asks] : []));
}
