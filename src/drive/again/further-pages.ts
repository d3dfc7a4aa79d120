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
  readonly #onPage: (method: string, page: JsonObject) => void;
  readonly #further: Further[] = [];

  constructor(timeout: number, onPage: (method: string, page: JsonObject) => void) {
    this.#timeout = timeout;
    this.#onPage = onPage;
  }

  note(asked: Message, { recorded, live }: Answers): void {
    const { method } = asked;
    const cursor = live.nextCursor;
    if (method === undefined || !LIST_METHODS.has(method) || typeof cursor !== "string") return;
    if (!recorded || typeof memberAt(recorded, "nextCursor") === "string") return;
    this.#further.push({ method, params: withoutToken(paramsOf(asked)), cursor });
  }

  /** Asks for all that is left, before anything is decided by what the lists hold. */
  *walk(): Course<void> {
    for (const { method, params, cursor } of this.#further.splice(0)) {
      const seen = new Set<JsonValue | undefined>();
      for (let next: JsonValue | undefined = cursor; typeof next === "string"; ) {
        if (seen.has(next) || seen.size > MOST_PAGES) break;
        seen.add(next);
        const whole: JsonObject = { ...params, cursor: next };
        const outcome: Outcome = yield { type: "ask", method, params: whole, timeout: this.#timeout };
        if (outcome.kind === "result") this.#onPage(method, outcome.result);
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
