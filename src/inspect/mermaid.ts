import { counted } from "./amounts.ts";
import type { Overview } from "./overview.ts";
import type { Row, RowKind } from "./row.ts";

/** Renderers give up on more; the rest is left out, and the diagram says so. */
const MOST_ROWS = 500;
const MOST_SESSIONS = 20;

/** https://mermaid.js.org/syntax/sequenceDiagram.html#messages */
const ARROWS: Readonly<Record<RowKind, string>> = {
  request: "->>",
  notification: "-)",
  result: "-->>",
  error: "--x",
  batch: "->>",
  noise: "-)",
  http: "-)",
  event: "-)",
  closed: "-x",
};

/** The timeline as a Mermaid sequence diagram: a client and a server for each recorded session. */
export function* mermaidLines({ cassette, timeline }: Overview): Iterable<string> {
  const sessions = [...new Set(timeline.map(({ session }) => session))].slice(0, MOST_SESSIONS);
  const drawn = timeline.filter(({ session }) => sessions.includes(session)).slice(0, MOST_ROWS);
  yield "sequenceDiagram";
  yield `  %% ${comment(cassette)}`;
  for (const session of sessions) {
    const which = sessions.length > 1 ? ` ${session}` : "";
    yield `  participant C${session} as client${which}`;
    yield `  participant S${session} as server${which}`;
  }
  for (const row of drawn) yield `  ${message(row)}`;
  const left = timeline.length - drawn.length;
  const [first] = sessions;
  if (left > 0 && first !== undefined) {
    yield `  Note over C${first},S${first}: ${escaped(`${counted(left, "more row")} left out`)}`;
  }
  // A diagram without participants is none.
  if (first === undefined) yield "  participant C1 as nothing is shown";
}

function message({ session, from, kind, label, item }: Row): string {
  const [client, server] = [`C${session}`, `S${session}`];
  const [sender, receiver] = from === "client" ? [client, server] : [server, client];
  return `${sender}${ARROWS[kind]}${receiver}: ${escaped(item === undefined ? label : `(in batch) ${label}`)}`;
}

/**
 * Everything that means something to Mermaid or to HTML becomes the number of its character
 * (https://mermaid.js.org/syntax/sequenceDiagram.html#entity-codes-to-escape-characters).
 */
function escaped(text: string): string {
  const whole = text.replace(/[^\p{L}\p{N} .,/_()-]/gu, (char) => `#${char.codePointAt(0)};`);
  // `end` alone on a line ends a block.
  return whole.replace(/^end$/i, "#101;nd");
}

function comment(text: string): string {
  return text.replace(/[^\p{L}\p{N} .,/_()-]/gu, "_");
}
