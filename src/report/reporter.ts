import type { Drift, FailOn } from "../drift/drift.ts";

/** How a report is to look. */
export interface Look {
  /** Columns of the terminal. */
  readonly width: number;
  readonly colour: boolean;
  /** What makes the diff fail, which some formats tell. */
  readonly failOn: FailOn;
}

/** One format. */
export interface Reporter {
  /** What it is for, in a few words. */
  readonly purpose: string;
  render(drift: Drift, look: Look): string | Promise<string>;
}
