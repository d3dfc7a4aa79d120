import { Correlator } from "../../exchange/correlator.ts";
import type { Entry } from "../../exchange/entry.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import type { Journal, Passed } from "./journal.ts";

/** What belongs together: what was noted since it was last written is kept as a whole or not at all. */
export class Block {
  readonly #noted: { readonly entry: Entry; readonly ordinal: number }[] = [];
  /** The request it is about. */
  exchange: Exchange | undefined;
  /** Where a question went whose asker is known by now. */
  #home: Block | undefined;
  isWritten = false;

  /** Where what belongs to this is to be noted. */
  get home(): Block {
    return this.#home ?? this;
  }

  add(entry: Entry, ordinal: number): void {
    this.#noted.push({ entry, ordinal });
  }

  moveTo(home: Block): void {
    this.#home = home;
    for (const { entry, ordinal } of this.#noted.splice(0)) home.add(entry, ordinal);
  }

  /** Takes out what is to be written, in wire order. */
  take(): readonly Entry[] {
    this.isWritten = true;
    const noted = this.#noted.splice(0).sort((a, b) => a.ordinal - b.ordinal);
    return noted.map(({ entry }) => entry);
  }
}

/** A cancelled exchange, while some question may be its own. */
interface Held {
  readonly block: Block;
  readonly doubts: ReadonlySet<number>;
  readonly onKept: () => void;
}

/**
 * Writes each exchange as one block when it is over. Whose a question is that names nobody, asked while several requests
 * were under way, shows only in what follows, which writing by blocks would hide from whoever reads the cassette: so it
 * is told here as it is told of a recording, and the question is written with its asker, or not at all.
 */
export class Ledger {
  readonly #journal: Journal;
  #correlator = this.#anew();
  #ordinal = 0;
  #begun: Exchange | undefined;
  readonly #open = new Set<Block>();
  /** The client's notifications, upon which a server may ask too. */
  readonly #notified = new Set<Exchange>();
  /** Questions of unknown askers, each with what became of it, by the ordinal of their entry. */
  readonly #floating = new Map<number, Block>();
  #held: Held[] = [];

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  ready(): Promise<void> {
    return this.#journal.ready();
  }

  note(block: Block, passed: Passed): void {
    const entry = this.#journal.note(passed);
    this.#add(block.home, entry);
    this.#claim();
  }

  /** A question of nobody knows whom. Its reply is to be noted with it. */
  float(passed: Passed): Block {
    const block = new Block();
    this.#floating.set(this.#ordinal, block);
    this.note(block, passed);
    return block;
  }

  /** Writes what was noted. False when it could not be, or is not to be kept. */
  commit(block: Block): boolean {
    this.#open.delete(block);
    return this.#journal.keep(block.take());
  }

  /** The same for an exchange that the client gave up: later, when a question may be its own still. */
  commitCancelled(block: Block, onKept: () => void): boolean {
    if (this.#floating.size === 0) return this.commit(block);
    this.#held.push({ block, doubts: new Set(this.#floating.keys()), onKept });
    return false;
  }

  /** It will not be kept. */
  forget(block: Block): void {
    this.#open.delete(block);
  }

  /** The server is gone: nothing tells any more what is not known yet. */
  reset(): void {
    this.#correlator = this.#anew();
    this.#open.clear();
    this.#notified.clear();
    this.#floating.clear();
    this.#held = [];
  }

  #anew(): Correlator {
    return new Correlator({
      sharedStream: true,
      onExchange: (exchange) => {
        this.#begun = exchange;
        if (exchange.kind === "notification") this.#notified.add(exchange);
      },
    });
  }

  #add(block: Block, entry: Entry): void {
    const ordinal = this.#ordinal++;
    block.add(entry, ordinal);
    this.#begun = undefined;
    this.#correlator.add(entry, ordinal);
    if (!this.#begun || block.exchange) return;
    block.exchange = this.#begun;
    this.#open.add(block);
  }

  /** Questions go to those who are known by now to have asked them. */
  #claim(): void {
    if (this.#floating.size === 0) return;
    for (const [ordinal, block] of this.#floating) {
      const asked = ({ steps }: Exchange) =>
        steps.some(({ role, entry }) => role === "ask" && entry === ordinal);
      const home = [...this.#open].find(({ exchange }) => exchange && asked(exchange));
      if (!home && ![...this.#notified].some(asked)) continue;
      this.#floating.delete(ordinal);
      // The notification is in the cassette already, and nothing can be put there any more.
      if (home) block.moveTo(home);
    }
    this.#held = this.#held.filter(({ block, doubts, onKept }) => {
      if ([...doubts].some((ordinal) => this.#floating.has(ordinal))) return true;
      if (this.commit(block)) onKept();
      return false;
    });
  }
}
