import type { FilePlace } from "../errors.ts";
import type { LaidFault } from "../replay/report.ts";

/** What became of one fault. */
export class FaultNote implements LaidFault {
  readonly fault: string;
  readonly place: string;
  readonly #times = new Map<string, number>();

  constructor(fault: string, { file, line, column }: FilePlace) {
    this.fault = fault;
    this.place = [file, line, column].filter((part) => part !== undefined).join(":");
  }

  strike(label: string): void {
    this.#times.set(label, (this.#times.get(label) ?? 0) + 1);
  }

  get struck(): number {
    return this.at.reduce((sum, { times }) => sum + times, 0);
  }

  get at(): LaidFault["at"] {
    return [...this.#times].map(([label, times]) => ({ label, times }));
  }
}
