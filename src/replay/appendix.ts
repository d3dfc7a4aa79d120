import { answerOf } from "../exchange/exchange.ts";
import type { Recorded } from "./candidates.ts";

/**
 * Exchanges that were appended to a recording while it is served, apart from the recording itself: they answer what that
 * does not hold, and change nothing of what it does.
 */
export class Appendix {
  readonly #byKey = new Map<string, Recorded[]>();

  put(key: string, recorded: Recorded): void {
    const before = this.#byKey.get(key);
    if (before) before.push(recorded);
    else this.#byKey.set(key, [recorded]);
  }

  /** Those of a question that were answered. */
  answersTo(key: string): readonly Recorded[] {
    return this.#byKey.get(key)?.filter(({ exchange }) => answerOf(exchange) !== undefined) ?? [];
  }

  get all(): readonly Recorded[] {
    return [...this.#byKey.values()].flat();
  }
}
