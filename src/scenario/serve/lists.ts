import type { ListName } from "../../drive/pages.ts";
import type { JsonObject } from "../../protocol/message.ts";
import type { Names, Prompt, Resource, Scenario, Template, Tool } from "../model.ts";
import { opaque } from "../random.ts";
import { pagesOf } from "./pages.ts";

export type Item = Tool | Resource | Template | Prompt;

export interface Page {
  /** From 1. */
  readonly number: number;
  /** How many there are. */
  readonly of: number;
  readonly items: readonly JsonObject[];
  readonly nextCursor: string | undefined;
}

/** `invalid` was never given out; `expired` was, and holds no more. */
export type BadCursor = "invalid" | "expired";

export interface Hidden {
  readonly list: ListName;
  readonly name: string;
}

/** The lists as one client sees them. */
export class Lists {
  readonly #scenario: Scenario;
  readonly #now: () => number;
  readonly #hidden: Readonly<Record<ListName, Set<string>>>;
  /** How often each list has changed. */
  readonly #changes: Record<ListName, number> = { tools: 0, resources: 0, templates: 0, prompts: 0 };
  /** When cursors that expire were given out. */
  readonly #givenOut = new Map<string, number>();

  constructor(scenario: Scenario, now: () => number) {
    this.#scenario = scenario;
    this.#now = now;
    const hidden = (items: readonly Item[]) =>
      new Set(items.filter((item) => item.hidden).map(({ name }) => name));
    this.#hidden = {
      tools: hidden(scenario.tools),
      resources: hidden(scenario.resources),
      templates: hidden(scenario.templates),
      prompts: hidden(scenario.prompts),
    };
  }

  visible<List extends ListName>(list: List): Scenario[List] {
    const items = this.#scenario[list] as readonly Item[];
    const hidden = this.#hidden[list];
    return (hidden.size === 0 ? items : items.filter(({ name }) => !hidden.has(name))) as Scenario[List];
  }

  /** What is there, such as this, and hidden now. */
  hidden<List extends ListName>(
    list: List,
    isMeant: (item: Scenario[List][number]) => boolean,
  ): Hidden | undefined {
    const items = this.#scenario[list] as readonly Scenario[List][number][];
    const item = items.find((each) => this.#hidden[list].has(each.name) && isMeant(each));
    return item && { list, name: item.name };
  }

  /** Shows or hides items; returns the lists that are others now. */
  show(names: Names, shown: boolean): readonly ListName[] {
    return (Object.keys(names) as ListName[]).filter((list) => {
      const hidden = this.#hidden[list];
      const before = hidden.size;
      for (const name of names[list] ?? []) {
        if (shown) hidden.delete(name);
        else hidden.add(name);
      }
      if (hidden.size === before) return false;
      this.#changes[list]++;
      return true;
    });
  }

  page(list: ListName, cursor: string | undefined): Page | BadCursor {
    const items = (this.visible(list) as readonly Item[]).filter(({ unlisted }) => !unlisted);
    const pages = pagesOf(items, this.#scenario.pages[list]);
    const number = cursor === undefined ? 1 : this.#pageOf(list, cursor, pages.length);
    if (typeof number !== "number") return number;
    return {
      number,
      of: pages.length,
      items: (pages[number - 1] ?? []).map(({ listed }) => listed),
      nextCursor: this.#cursorAfter(list, number, pages.length),
    };
  }

  #cursorAfter(list: ListName, page: number, count: number): string | undefined {
    const { loop, emptyCursor, expire } = this.#scenario.pages[list];
    const next = page < count ? page + 1 : loop;
    if (next === undefined) return undefined;
    const cursor = page === emptyCursor ? "" : this.#cursor(list, next, this.#changes[list]);
    if (expire !== undefined) this.#givenOut.set(cursor, this.#now());
    return cursor;
  }

  #cursor(list: ListName, page: number, changes: number): string {
    return opaque(`${this.#scenario.seed} ${list} ${changes} ${page}`);
  }

  #pageOf(list: ListName, cursor: string, count: number): number | BadCursor {
    const { emptyCursor, expire } = this.#scenario.pages[list];
    const given = this.#givenOut.get(cursor);
    if (expire !== undefined && given !== undefined && this.#now() - given > expire) return "expired";
    if (cursor === "" && emptyCursor !== undefined) return emptyCursor + 1;
    for (let changes = this.#changes[list]; changes >= 0; changes--) {
      // Cursors of a list that was longer once are known by what it can have been at most.
      for (let page = 1; page <= Math.max(count, this.#longest(list)); page++) {
        if (this.#cursor(list, page, changes) === cursor) {
          return changes === this.#changes[list] ? page : "expired";
        }
      }
    }
    return "invalid";
  }

  #longest(list: ListName): number {
    return pagesOf(this.#scenario[list] as readonly Item[], this.#scenario.pages[list]).length;
  }
}
