import { answerOf, type Exchange } from "../exchange/exchange.ts";
import type { Stray } from "../exchange/world.ts";

/** Answers in a recording that answer nothing, each told of as it is found. */
export class Strays {
  readonly #all: Stray[] = [];
  /** Where an entry stands, as `file:line`. */
  readonly placeOf: (ordinal: number) => string;
  readonly #onNotice: ((notice: string) => void) | undefined;

  /** @param placeOf where an entry stands, as `file:line` */
  constructor(placeOf: (ordinal: number) => string, onNotice: ((notice: string) => void) | undefined) {
    this.placeOf = placeOf;
    this.#onNotice = onNotice;
  }

  add(stray: Stray): void {
    this.#all.push(stray);
    this.#onNotice?.(strayNotice(stray, this.placeOf));
  }

  /** Where one stands that may have been meant for this exchange, as `file:line`. */
  meantFor({ session, id }: Exchange): string | undefined {
    const meant = this.#all.find((stray) => stray.session === session && bare(stray.id) === bare(id));
    return meant && this.placeOf(meant.entry);
  }
}

function strayNotice(stray: Stray, placeOf: (ordinal: number) => string): string {
  const { id = "null", namesake, entry } = stray;
  const [why, hint] = reasonOf(stray, namesake && placeOf(namesake.entry).split(":").at(-1));
  return `${placeOf(entry)}: the answer with id ${id} answers nothing: ${why}. It is not served.\n  ${hint}`;
}

function reasonOf({ id, namesake }: Stray, line: string | undefined): readonly [why: string, hint: string] {
  if (!namesake) {
    return [
      "no request before it on its connection has that id",
      "Put it after its request, and give it that one's id.",
    ];
  }
  if (namesake.id !== id)
    return [`line ${line} asks under id ${namesake.id}, which is another`, `Give it id ${namesake.id}.`];
  return [
    `the request of line ${line} ${answerOf(namesake) ? "has its answer already" : "was over before"}`,
    "Remove one of the two answers, or give this one its own request's id.",
  ];
}

function bare(id = "null"): string {
  return id.startsWith('"') ? id.slice(1, -1) : id;
}
