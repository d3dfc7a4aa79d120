import { memberAt } from "../../protocol/member.ts";
import {
  type IdToken,
  type JsonObject,
  type JsonValue,
  jsonOf,
  type Message,
  readMessage,
} from "../../protocol/message.ts";
import { shortLine } from "../../protocol/methods.ts";
import { META } from "../../protocol/revisions.ts";
import { findSpan, replaceSpans } from "../../protocol/scan-json.ts";
import type { Action } from "../action.ts";
import { paramsOf, questionOf } from "../key.ts";
import { isMiss, type Untranslatable } from "../miss.ts";
import type { Playing } from "../playing.ts";
import type { Visitors } from "../visitor.ts";
import { LIST_CHANGES } from "./list-changes.ts";
import { adding, isObjectAt } from "./members.ts";
import { firstResult, urisOf } from "./openings.ts";
import type { Grants, Subscription, Subscriptions } from "./subscriptions.ts";

const encoder = new TextEncoder();

export interface ListeningContext {
  readonly player: Playing;
  /** Who the client may be. */
  readonly owners: Visitors;
  /** Asks the recorded session; its answer comes to `answered`. */
  readonly ask: (message: Message) => void;
  readonly act: (action: Action) => void;
}

/** The `subscriptions/listen` requests of a modern client before a legacy recording. */
export class Listening {
  readonly #subscriptions: Subscriptions;
  readonly #context: ListeningContext;
  /** Answers to the subscriptions that are made in the client's name, by the ids they are asked under. */
  readonly #answers = new Map<IdToken, Message | undefined>();
  readonly #grants: Grants;
  #nextId = 0;

  constructor(subscriptions: Subscriptions, context: ListeningContext) {
    this.#subscriptions = subscriptions;
    this.#context = context;
    this.#grants = subscriptions.grantsOf(context.owners);
  }

  /**
   * Subscribes as the recorded client did, and acknowledges what of the filter the recorded server announces. Where a
   * resource was not subscribed to, the listener would wait for what never comes: that is returned, and nothing done.
   */
  begin(request: Message): Untranslatable | undefined {
    const id = request.id as IdToken;
    const asked = memberAt(paramsOf(request), "notifications");
    const uris = urisOf(asked);
    const unknown = uris.find((uri) => !this.#isRecorded(uri));
    if (unknown !== undefined) {
      const why = `no recorded resources/subscribe names ${shortLine(unknown)}`;
      return { feature: "subscriptions/listen", why };
    }
    for (const uri of uris) {
      const refusal = this.#subscribe(uri);
      if (refusal && isMiss(refusal)) {
        this.#end(id, refusal);
        return undefined;
      }
    }
    const filter = this.#honoured(asked, uris);
    const tell = (bytes: Uint8Array) => this.#context.act({ type: "send", bytes, on: id, stream: "own" });
    const { act, owners } = this.#context;
    const end = () => act({ type: "outcome", bytes: gracefulEnd(id), on: id });
    this.#subscriptions.add({ id, session: this, owners, filter, tell, end });
    tell(encoder.encode(acknowledgement(id, filter)));
    return undefined;
  }

  /** Takes the answer to what was asked in the client's name. False for any other. */
  answered(on: IdToken, response: Message): boolean {
    if (!this.#answers.has(on)) return false;
    this.#answers.set(on, response);
    return true;
  }

  /** A recorded change, to all that listen for it. */
  announce(notification: Message): void {
    const { method } = notification;
    const uri = memberAt(paramsOf(notification), "uri");
    for (const { id, tell } of this.#subscriptions.hearing({ method, uri }, this.#context.owners)) {
      tell(withSubscription(notification, id));
    }
  }

  /** The client listens no more. False when this was no such request. */
  drop(id: IdToken): boolean {
    const dropped = this.#subscriptions.remove(this, id);
    if (!dropped) return false;
    const left = new Set(
      this.#subscriptions.of(this.#context.owners).flatMap(({ filter }) => urisOf(filter)),
    );
    for (const uri of urisOf(dropped.filter)) if (!left.has(uri)) this.#unsubscribe(uri);
    return true;
  }

  /** The client is gone, and its listens with it. */
  disconnect(): void {
    this.#subscriptions.forget(this);
  }

  #isRecorded(uri: string): boolean {
    if (this.#grants.granted.has(uri)) return true;
    const { recording, options, loosely } = this.#context.player;
    const asked = subscription("0", "resources/subscribe", uri);
    const message = options.redact?.message(asked) ?? asked;
    const { key } = questionOf(message);
    return (recording.answersTo(key) ?? loosely?.answersTo({ message, key, fullKey: key })) !== undefined;
  }

  /** The refusal, where it was refused. */
  #subscribe(uri: string): Message | undefined {
    if (this.#grants.granted.has(uri)) return undefined;
    const answer = this.#ask("resources/subscribe", uri);
    if (answer && !answer.isError) this.#grants.granted.add(uri);
    return answer?.isError ? answer : undefined;
  }

  #unsubscribe(uri: string): void {
    const { recording } = this.#context.player;
    const { key } = questionOf(subscription("0", "resources/unsubscribe", uri));
    if (this.#grants.givenBack.has(uri) || !recording.answersTo(key)) return;
    this.#grants.givenBack.add(uri);
    this.#ask("resources/unsubscribe", uri);
  }

  #ask(method: string, uri: string): Message | undefined {
    const id = JSON.stringify(`mcp-vcr-${this.#nextId++}`);
    this.#answers.set(id, undefined);
    this.#context.ask(subscription(id, method, uri));
    const answer = this.#answers.get(id);
    this.#answers.delete(id);
    return answer;
  }

  /** Changes of lists as the server claimed to announce them when it was recorded. */
  #honoured(asked: JsonValue | undefined, uris: readonly string[]): JsonObject {
    const opening = firstResult(this.#context.player.recording, "initialize");
    const capabilities = opening && memberAt(jsonOf(opening.response), "result", "capabilities");
    const lists = Object.entries(LIST_CHANGES).filter(
      ([member, name]) =>
        memberAt(asked, member) === true && memberAt(capabilities, name, "listChanged") === true,
    );
    const resourceSubscriptions = uris.filter((uri) => this.#grants.granted.has(uri));
    return {
      ...Object.fromEntries(lists.map(([member]) => [member, true])),
      ...(resourceSubscriptions.length > 0 ? { resourceSubscriptions } : {}),
    };
  }

  /** Refuses to listen, with what a subscription was refused with. */
  #end(id: IdToken, { bytes, scan }: Message): void {
    const span = scan.members.id;
    const answer = span ? replaceSpans(bytes, [{ span, replacement: encoder.encode(id) }]) : bytes;
    this.#context.act({ type: "outcome", bytes: answer, on: id });
  }
}

function subscription(id: IdToken, method: string, uri: string): Message {
  const params = JSON.stringify({ uri });
  return readMessage(encoder.encode(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`));
}

/** The end that a server gives a subscription (2026-07-28 basic/patterns/subscriptions, Graceful Closure). */
function gracefulEnd(id: IdToken): Uint8Array {
  const result = `{"resultType":"complete","_meta":{"${META.subscriptionId}":${id}}}`;
  return encoder.encode(`{"jsonrpc":"2.0","id":${id},"result":${result}}`);
}

function acknowledgement(id: IdToken, filter: JsonObject): string {
  const notifications = JSON.stringify(filter);
  const params = `{"_meta":{"${META.subscriptionId}":${id}},"notifications":${notifications}}`;
  return `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":${params}}`;
}

/** The notification under the id of a subscription. */
function withSubscription({ bytes, scan }: Message, id: Subscription["id"]): Uint8Array {
  const member = `"${META.subscriptionId}":${id}`;
  const { params } = scan.members;
  const meta = findSpan(bytes, ["params", "_meta"]);
  if (isObjectAt(bytes, meta)) return replaceSpans(bytes, [adding(bytes, meta, [member])]);
  if (isObjectAt(bytes, params)) {
    return replaceSpans(bytes, [adding(bytes, params, [`"_meta":{${member}}`])]);
  }
  const root = { start: bytes.indexOf(0x7b), end: bytes.lastIndexOf(0x7d) + 1 };
  return replaceSpans(bytes, [adding(bytes, root, [`"params":{"_meta":{${member}}}`])]);
}
