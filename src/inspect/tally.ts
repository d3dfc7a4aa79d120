import type { Side } from "../protocol/message.ts";
import type { Row } from "./row.ts";

/** Milliseconds from request to answer; absent where nothing was answered. */
export interface Timing {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

/** How often a method was used, and what came of it. */
export interface MethodCount {
  readonly method: string;
  readonly from: Side;
  readonly times: number;
  /** Of requests. */
  readonly answered: number;
  /** Answers that are errors. */
  readonly errors: number;
  readonly ms?: Timing;
}

export interface ToolCount {
  readonly tool: string;
  readonly calls: number;
  /** Calls answered with an error of the protocol. */
  readonly errors: number;
  /** Calls whose result says that the tool failed (`isError`). */
  readonly failures: number;
  readonly ms?: Timing;
}

class Count {
  times = 0;
  errors = 0;
  failures = 0;
  readonly durations: number[] = [];

  asked(): void {
    this.times++;
  }

  answered({ kind, failed, ms = 0 }: Row): void {
    if (kind === "error") this.errors++;
    if (failed) this.failures++;
    this.durations.push(ms);
  }

  get timing(): { ms?: Timing } {
    const sorted = this.durations.sort((a, b) => a - b);
    const at = (index: number): number => sorted[index] as number;
    if (sorted.length === 0) return {};
    return {
      ms: { min: at(0), median: at(Math.floor((sorted.length - 1) / 2)), max: at(sorted.length - 1) },
    };
  }
}

/** Counts by method and by tool. */
export class Tally {
  readonly #methods = new Map<
    string,
    { readonly from: Side; readonly method: string; readonly count: Count }
  >();
  readonly #tools = new Map<string, Count>();

  add(row: Row): void {
    const { kind, method, from } = row;
    if (method === undefined) return;
    const asks = kind === "request" || kind === "notification";
    const asker = asks ? from : from === "client" ? "server" : "client";
    for (const count of [this.#method(asker, method), ...this.#tool(row)]) {
      if (asks) count.asked();
      else count.answered(row);
    }
  }

  /** Most used first. */
  get methods(): MethodCount[] {
    const all = [...this.#methods.values()].map(({ from, method, count }) => ({
      method,
      from,
      times: count.times,
      answered: count.durations.length,
      errors: count.errors,
      ...count.timing,
    }));
    return all.sort((a, b) => b.times - a.times);
  }

  get tools(): ToolCount[] {
    const all = [...this.#tools].map(([tool, count]) => ({
      tool,
      calls: count.times,
      errors: count.errors,
      failures: count.failures,
      ...count.timing,
    }));
    return all.sort((a, b) => b.calls - a.calls);
  }

  #method(from: Side, method: string): Count {
    const key = `${from} ${method}`;
    let found = this.#methods.get(key);
    if (!found) {
      found = { from, method, count: new Count() };
      this.#methods.set(key, found);
    }
    return found.count;
  }

  #tool({ method, name }: Row): Count[] {
    if (method !== "tools/call" || name === undefined) return [];
    let count = this.#tools.get(name);
    if (!count) {
      count = new Count();
      this.#tools.set(name, count);
    }
    return [count];
  }
}
