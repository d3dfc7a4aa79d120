import type { Outlined } from "../../rerecord/outline.ts";
import type { Outcome } from "../move.ts";
import { isRefused } from "./recorded-session.ts";

/** Requests that a server did not take because it had lost the session. Each is asked in a new one, once. */
export class LostRequests {
  readonly #lost: Outlined[] = [];
  readonly #asked = new Set<Outlined>();

  /** Takes a request that is to be asked again. Where the recorded server did not take it either, it is not. */
  take(outlined: Outlined, outcome: Outcome): boolean {
    if (outcome.kind !== "refused" || !outcome.sessionLost || this.#asked.has(outlined)) return false;
    if (isRefused(outlined.exchange) || outlined.exchange.method === "initialize") return false;
    this.#asked.add(outlined);
    this.#lost.push(outlined);
    return true;
  }

  get any(): boolean {
    return this.#lost.length > 0;
  }

  givenBack(): readonly Outlined[] {
    return this.#lost.splice(0);
  }
}
