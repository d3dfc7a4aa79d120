import { canonicalJson } from "../../protocol/canonical.ts";
import { memberAt } from "../../protocol/member.ts";
import { type IdToken, type JsonValue, type Message, readMessage } from "../../protocol/message.ts";
import { META } from "../../protocol/revisions.ts";
import { findSpan, type Replacement, replaceSpans } from "../../protocol/scan-json.ts";
import type { Client } from "../clients.ts";
import { paramsOf } from "../key.ts";
import type { Playing } from "../playing.ts";
import type { ClientFacts } from "./legacy-requests.ts";
import { cutting, isObjectAt } from "./members.ts";
import { type RecordedListen, recordedListens, urisOf } from "./openings.ts";
import { wayTo } from "./rows.ts";

const encoder = new TextEncoder();

/**
 * What a modern recording's `subscriptions/listen` are to a legacy client: it hears of changes without asking, but for
 * resources, to which it subscribes. The recorded listens are opened in its name.
 */
export class LegacyListening {
  readonly #player: Playing;
  readonly #ask: (message: Message) => void;
  readonly #ids = new Set<IdToken>();
  readonly #subscribed = new Set<JsonValue>();
  #opened = false;
  /** Which listen told a change first, as long as others may tell the same one. */
  #last: { readonly change: string; readonly on: IdToken } | undefined;

  constructor(player: Playing, ask: (message: Message) => void) {
    this.#player = player;
    this.#ask = ask;
  }

  /** The client said something new: what it sets off is told apart from what was told before. */
  turn(): void {
    this.#last = undefined;
  }

  /** Opens the recorded listens, once. */
  open(client: ClientFacts): void {
    if (this.#opened) return;
    this.#opened = true;
    for (const { request } of this.#ofClient(client)) {
      const id = JSON.stringify(`mcp-vcr-listen-${this.#ids.size + 1}`);
      this.#ids.add(id);
      this.#ask(underId(request, id, client));
    }
  }

  /** Whether this is a listen that was opened here. */
  isOwn(id: IdToken | undefined): id is IdToken {
    return id !== undefined && this.#ids.has(id);
  }

  /** False for a resource that no recorded listen names. */
  subscribe(uri: JsonValue | undefined): boolean {
    const named = recordedListens(this.#player.recording).flatMap(({ filter }) => urisOf(filter));
    if (typeof uri !== "string" || !named.includes(uri)) return false;
    this.#subscribed.add(uri);
    return true;
  }

  unsubscribe(uri: JsonValue | undefined): void {
    if (uri !== undefined) this.#subscribed.delete(uri);
  }

  /** What the client hears of what came on a listen; nothing of what is the modern era's own. */
  told(on: IdToken, message: Message): Uint8Array | undefined {
    if (wayTo("legacy", message.method) !== "listen") return undefined;
    const uri = memberAt(paramsOf(message), "uri");
    if (message.method === "notifications/resources/updated" && !this.#subscribed.has(uri ?? null))
      return undefined;
    const change = `${message.method} ${uri}`;
    // A change that several listens were told of is one.
    const isSame = this.#last?.change === change && this.#last.on !== on;
    this.#last = { change, on };
    return isSame ? undefined : withoutSubscription(message);
  }

  /** Those of the recorded client whose part this one plays: of the same name, or whoever listened first. */
  #ofClient({ info }: ClientFacts): readonly RecordedListen[] {
    const all = recordedListens(this.#player.recording);
    const name = canonicalJson(memberAt(info, "name") ?? null);
    const clients = all.map(({ recorded }) => recorded.client);
    const own: Client | undefined =
      clients.find((client) => client?.info === (info === undefined ? undefined : canonicalJson(info))) ??
      clients.find((client) => client?.name === name) ??
      clients[0];
    return all.filter(({ recorded }) => recorded.client === own);
  }
}

/** A recorded listen as this client's, under an id of its own. */
function underId({ bytes, scan }: Message, id: IdToken, { info }: ClientFacts): Message {
  const recorded = findSpan(bytes, ["params", "_meta", META.clientInfo]);
  const edits: Replacement[] = [];
  if (scan.members.id) edits.push({ span: scan.members.id, replacement: encoder.encode(id) });
  if (recorded && info !== undefined) {
    edits.push({ span: recorded, replacement: encoder.encode(JSON.stringify(info)) });
  }
  return readMessage(
    replaceSpans(
      bytes,
      edits.sort((a, b) => a.span.start - b.span.start),
    ),
  );
}

function withoutSubscription({ bytes, scan }: Message): Uint8Array {
  const meta = findSpan(bytes, ["params", "_meta"]);
  const { params } = scan.members;
  if (!isObjectAt(bytes, meta) || !params) return bytes;
  const isSubscription = ({ key }: { key: string }) => key === META.subscriptionId;
  const rest = replaceSpans(bytes, cutting(bytes, meta, isSubscription));
  const left = findSpan(rest, ["params", "_meta"]);
  const isEmpty =
    left !== undefined && /^\{\s*\}$/.test(new TextDecoder().decode(rest.subarray(left.start, left.end)));
  const from = findSpan(rest, ["params"]);
  return isEmpty && from
    ? replaceSpans(
        rest,
        cutting(rest, from, ({ key }) => key === "_meta"),
      )
    : rest;
}
