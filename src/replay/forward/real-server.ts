import type { JsonValue } from "../../protocol/message.ts";
import type { Journal } from "./journal.ts";
import type { Link, LinkSide } from "./link.ts";
import type { ForwardLog } from "./log.ts";

/** A server that is a mock itself: its answers count as the mock's, and nobody was asked. */
export interface Written {
  /** What it has to answer still. */
  readonly log: ForwardLog;
  /** Requests it answered. */
  readonly hits: number;
  /** It answered something that clients do not ask of any server. */
  readonly asked: boolean;
  /** The `inputSchema` of a tool. */
  inputSchemaOf(tool: string): JsonValue | undefined;
  /** What it could have answered, and nobody asked. */
  unused(): readonly { readonly label: string; readonly asked: JsonValue; readonly place?: string }[];
}

/** The server behind a recording, for what the recording does not hold. */
export interface RealServer {
  /** For people: its command, or its URL. */
  readonly name: string;
  /** What was asked is to be kept, so that it is recorded the next time. */
  readonly keeps: boolean;
  /** There was no recording before: it is made of all that is asked. */
  readonly records?: boolean | undefined;
  readonly written?: Written | undefined;
  /** Connects; what goes wrong is told by `closed`. */
  connect(side: LinkSide): Link;
  /** For one client. */
  journal(): Journal;
}

/** Told when the server is asked for the first time. */
export function firstNotice(label: string, { name, keeps }: RealServer): string {
  const kept = keeps ? "; its answers are appended" : "";
  return (
    `${label} is not recorded: asking the real server (${name})${kept}.\n` +
    "What was answered from the recording before has not happened there."
  );
}
