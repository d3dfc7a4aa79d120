import { LISTS, type ListName } from "../drive/pages.ts";
import { answerOf, type Exchange } from "../exchange/exchange.ts";
import { memberAt } from "../protocol/member.ts";
import { type JsonValue, jsonOf, type Message } from "../protocol/message.ts";
import { paramsOf } from "../replay/key.ts";
import { type Contract, LIST_NAMES, type Listed, UNKNOWN_LIST } from "./contract.ts";
import { type Opened, revisionsOf, serverFactsOf } from "./opening.ts";
import { listedFrom, type Page, pageOf } from "./walks.ts";

/** A recording, as far as the contract looks into it. */
export interface Exchanges {
  readonly exchanges: Iterable<{
    readonly exchange: Exchange;
    /** Asked in a way that broke the rules of HTTP transport. */
    readonly improper: boolean;
  }>;
  at(place: { readonly entry: number; readonly item: number }): { readonly message: Message };
}

/** An exchange as the contract needs it: what was asked, and what came of it. */
export interface Answered {
  readonly method: string;
  readonly params: JsonValue | undefined;
  readonly result: JsonValue | undefined;
  readonly error: JsonValue | undefined;
  readonly session: number;
  readonly seenAt: number;
}

const OPENING: ReadonlySet<string> = new Set(["initialize", "server/discover"]);
const LIST_OF = new Map<string, ListName>(LIST_NAMES.map((name) => [LISTS[name].method, name]));
/** JSON-RPC's code for a method that the peer does not have (https://www.jsonrpc.org/specification#error_object). */
const METHOD_NOT_FOUND = -32601;

/** What a recorded server promised, as far as the recording asked. */
export function extractContract(recording: Exchanges): Contract {
  const opened: Opened[] = [];
  const asked = new Map<ListName, Answered[]>();
  for (const answered of answeredIn(recording, (method) => OPENING.has(method) || LIST_OF.has(method))) {
    const list = LIST_OF.get(answered.method);
    if (list === undefined) opened.push(answered);
    else if (asked.has(list)) asked.get(list)?.push(answered);
    else asked.set(list, [answered]);
  }
  const notes: string[] = [];
  const listed = (name: ListName) => listedOf(name, asked.get(name) ?? [], notes);
  return {
    revisions: revisionsOf(opened),
    server: serverFactsOf(opened),
    lists: {
      tools: listed("tools"),
      resources: listed("resources"),
      templates: listed("templates"),
      prompts: listed("prompts"),
    },
    notes,
  };
}

/** Requests of some methods that got a response, in wire order. Those that broke the rules of HTTP transport are out. */
export function* answeredIn(recording: Exchanges, wanted: (method: string) => boolean): Iterable<Answered> {
  for (const recorded of recording.exchanges) {
    const { exchange } = recorded;
    const { method, session } = exchange;
    if (method === undefined || !wanted(method) || recorded.improper) continue;
    const answer = answerOf(exchange);
    if (answer?.role !== "outcome") continue;
    const value = jsonOf(recording.at(answer).message);
    yield {
      method,
      session,
      params: paramsOf(recording.at(exchange).message),
      result: memberAt(value, "result"),
      error: memberAt(value, "error"),
      seenAt: answer.entry,
    };
  }
}

/** A server that has no such method has nothing to list. */
function listedOf(list: ListName, asked: readonly Answered[], notes: string[]): Listed {
  const pages = asked.flatMap((each): Page[] =>
    each.result === undefined
      ? []
      : [
          pageOf(list, {
            cursor: memberAt(each.params, "cursor") ?? undefined,
            result: each.result,
            session: each.session,
            seenAt: each.seenAt,
          }),
        ],
  );
  const none = asked.some(({ error }) => memberAt(error, "code") === METHOD_NOT_FOUND);
  if (pages.length === 0 && none) return { ...UNKNOWN_LIST, state: "complete" };
  return listedFrom(list, pages, notes);
}
