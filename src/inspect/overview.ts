import type { Body, Header } from "../exchange/entry.ts";
import { textOf } from "../protocol/message.ts";
import type { Row } from "./row.ts";
import { type Placed, RowReader, versionIn } from "./row-reader.ts";
import { type MethodCount, Tally, type ToolCount } from "./tally.ts";

/** What a cassette holds, as data; schema/inspect.schema.json is the same for tools. */
export interface Overview {
  readonly cassette: string;
  readonly header: Header;
  /** Protocol versions that its messages name, in the order in which they do. */
  readonly revisions: readonly string[];
  readonly entries: number;
  readonly sessions: number;
  /** Milliseconds from the first entry to the last. */
  readonly duration: number;
  /** Of all bodies. */
  readonly bytes: number;
  readonly methods: readonly MethodCount[];
  readonly tools: readonly ToolCount[];
  /** Rows before any were filtered out. */
  readonly rows: number;
  readonly timeline: readonly Row[];
}

/** Which rows a timeline shows; counts are of the whole cassette all the same. */
export interface Filter {
  /** Found in the label or in the body's text. */
  readonly grep?: RegExp | undefined;
  /** Messages of this method, and the answers to them. */
  readonly method?: string | undefined;
}

export interface OverviewOptions extends Filter {
  readonly cassette: string;
  /** Rows keep their bodies. */
  readonly bodies: boolean;
}

/** Gathers an overview, entry by entry. */
export class OverviewBuilder {
  readonly #options: OverviewOptions;
  readonly #reader = new RowReader();
  readonly #tally = new Tally();
  readonly #revisions = new Set<string>();
  readonly #sessions = new Set<number>();
  readonly #timeline: Row[] = [];
  /** Where each row that is shown stands in the timeline, by its place among all. */
  readonly #shownAt = new Map<number, number>();
  #rows = 0;
  #entries = 0;
  #first: number | undefined;
  #last = 0;
  #bytes = 0;

  constructor(options: OverviewOptions) {
    this.#options = options;
  }

  add(placed: Placed): void {
    const { at, session, body } = placed.entry;
    this.#entries++;
    this.#first ??= at;
    this.#last = at;
    this.#sessions.add(session);
    this.#bytes += body?.bytes.length ?? 0;
    const version = versionIn(body);
    if (version !== undefined) this.#revisions.add(version);
    for (const [row, bytes] of this.#reader.read(placed)) this.#row(row, bytes);
  }

  #row(row: Row, body: Body | undefined): void {
    const index = this.#rows++;
    this.#tally.add(row);
    if (!isShown(row, body, this.#options)) return;
    this.#shownAt.set(index, this.#timeline.length);
    const { answers, ...rest } = row;
    const request = answers === undefined ? undefined : this.#shownAt.get(answers);
    this.#timeline.push({
      ...rest,
      ...(request !== undefined && { answers: request }),
      ...(this.#options.bodies && body && { body }),
    });
  }

  finish(header: Header): Overview {
    return {
      cassette: this.#options.cassette,
      header,
      revisions: [...this.#revisions],
      entries: this.#entries,
      sessions: this.#sessions.size,
      duration: this.#last - (this.#first ?? 0),
      bytes: this.#bytes,
      methods: this.#tally.methods,
      tools: this.#tally.tools,
      rows: this.#rows,
      timeline: this.#timeline,
    };
  }
}

function isShown(row: Row, body: Body | undefined, { grep, method }: Filter): boolean {
  if (method !== undefined && row.method !== method) return false;
  if (grep === undefined || grep.test(row.label)) return true;
  return body !== undefined && body.form !== "base64" && grep.test(textOf(body.bytes));
}
