import { memberAt } from "../../protocol/member.ts";
import type { JsonObject, JsonValue, Message } from "../../protocol/message.ts";
import { paramsOf } from "../../replay/key.ts";
import type { Course, Outcome } from "../move.ts";
import { LISTS, MOST_PAGES } from "../pages.ts";

const LIST_METHODS: ReadonlySet<string | undefined> = new Set(
  Object.values(LISTS).map(({ method }) => method),
);

interface Further {
  readonly method: string;
  readonly params: JsonObject;
  readonly cursor: string;
}

/** Lists that were at their end in the recording, and have more pages now: without them nothing can be said of a list. */
export class FurtherPages {
  readonly #timeout: number;
  readonly #further: Further[] = [];

  constructor(timeout: number) {
    this.#timeout = timeout;
  }

  note(asked: Message, { recorded, live }: Answers): void {
    const { method } = asked;
    const cursor = live.nextCursor;
    if (method === undefined || !LIST_METHODS.has(method) || typeof cursor !== "string") return;
    if (!recorded || typeof memberAt(recorded, "nextCursor") === "string") return;
    this.#further.push({ method, params: withoutToken(paramsOf(asked)), cursor });
  }

  /** Asks for all that is left. */
  *walk(): Course<void> {
    for (const { method, params, cursor } of this.#further) {
      const seen = new Set<JsonValue | undefined>();
      for (let next: JsonValue | undefined = cursor; typeof next === "string"; ) {
        if (seen.has(next) || seen.size > MOST_PAGES) break;
        seen.add(next);
        const whole: JsonObject = { ...params, cursor: next };
        const outcome: Outcome = yield { type: "ask", method, params: whole, timeout: this.#timeout };
        next = outcome.kind === "result" ? outcome.result.nextCursor : undefined;
      }
    }
  }
}

interface Answers {
  readonly recorded: JsonObject | undefined;
  readonly live: JsonObject;
}

function withoutToken(params: JsonValue | undefined): JsonObject {
  const { _meta, ...rest } = (params ?? {}) as JsonObject;
  const { progressToken, ...meta } = (_meta ?? {}) as JsonObject;
  return { ...rest, _meta: meta };
}
