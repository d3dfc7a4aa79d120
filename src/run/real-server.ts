import type { Source } from "../exchange/entry.ts";
import { type Journal, NO_JOURNAL } from "../replay/forward/journal.ts";
import type { Link, LinkSide } from "../replay/forward/link.ts";
import type { RealServer } from "../replay/forward/real-server.ts";
import { openRedactor } from "./redaction.ts";

/** How a link to a server of this kind is made; what it needs is loaded when a server of this kind is there. */
type Connect = (side: LinkSide, fetch: typeof globalThis.fetch) => Link;

export interface Keeping {
  /** Where its answers are kept; nowhere when undefined. */
  readonly journal: (() => Journal) | undefined;
  /** See `RealServer`. */
  readonly records?: boolean | undefined;
}

/** The server that `serve` was given to ask: a command's process, or a connection to a URL, for each client. */
export class SourceServer implements RealServer {
  readonly name: string;
  readonly keeps: boolean;
  readonly records: boolean;
  readonly #connect: Connect;
  readonly #journal: () => Journal;
  readonly #links = new Set<Link>();
  /** How a server behind a URL is reached. */
  fetch: typeof globalThis.fetch = (...request) => globalThis.fetch(...request);

  private constructor(source: Source, connect: Connect, { journal, records = false }: Keeping) {
    this.name = nameOfSource(source);
    this.keeps = journal !== undefined;
    this.records = records;
    this.#connect = connect;
    this.#journal = journal ?? (() => NO_JOURNAL);
  }

  static async of(source: Source, keeping: Keeping): Promise<SourceServer> {
    return new SourceServer(source, await connectTo(source), keeping);
  }

  connect(side: LinkSide): Link {
    const link = this.#connect(side, (...request) => this.fetch(...request));
    this.#links.add(link);
    return link;
  }

  journal(): Journal {
    return this.#journal();
  }

  /** Ends every connection, and every process that was started. */
  async close(): Promise<void> {
    await Promise.all([...this.#links].map((link) => link.close()));
  }
}

async function connectTo(source: Source): Promise<Connect> {
  if (source.transport === "stdio") {
    const { ChildLink } = await import("../transport/child-link.ts");
    return (side) => new ChildLink(source.command, side);
  }
  const { HttpLink } = await import("../transport/http-link.ts");
  return (side, fetch) => new HttpLink(new URL(source.url), side, fetch);
}

/** For people, and for reports that are kept: without credentials. */
export function nameOfSource(source: Source): string {
  const redactor = openRedactor();
  return source.transport === "stdio" ? redactor.command(source.command).join(" ") : redactor.url(source.url);
}
