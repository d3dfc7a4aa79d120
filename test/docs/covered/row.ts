/** A test by its file and the title that stands in it. */
export interface Cite {
  readonly file: string;
  readonly title: string;
}

export interface Row {
  readonly name: string;
  /** Who sends it. */
  readonly from: string;
  /** Revisions that have it; empty for what HTTP has and the specification does not mention. */
  readonly revisions: readonly string[];
  readonly recorded: string;
  readonly replayed: string;
  /** What a client of the other era gets. */
  readonly across: { readonly is: string; readonly test?: Cite };
  readonly tests: readonly Cite[];
}

/** Rows that some tests have in common. */
export interface Section {
  readonly title: string;
  readonly text: string;
  /** Each goes through every row. */
  readonly through: readonly Cite[];
  readonly rows: readonly Row[];
}

export const cite = (file: string, title: string): Cite => ({ file: `test/${file}.test.ts`, title });
