import type { Reply, Turn } from "./model.ts";

export interface PlacedTurn {
  readonly turn: Turn;
  readonly reply: Reply;
  /** Names of questions that the client has answered when it is there. */
  readonly answered: readonly string[];
}

/** All turns of replies, those under `replies` of another one too. */
export function* eachTurn(replies: readonly Reply[], answered: readonly string[] = []): Iterable<PlacedTurn> {
  for (const reply of replies) {
    for (const turn of reply.turns) {
      yield { turn, reply, answered };
      if (turn.outcome.kind !== "replies") continue;
      yield* eachTurn(turn.outcome.replies, [...answered, ...askedIn(turn)]);
    }
  }
}

export function askedIn({ steps }: Turn): readonly string[] {
  return steps.flatMap((step) => (step.kind === "ask" ? [...step.asks.keys()] : []));
}
