import { join } from "node:path";
import { expect, test } from "vitest";
import { memberAt } from "../../src/protocol/member.ts";
import { eachMessage, jsonOf, readMessage, type Side } from "../../src/protocol/message.ts";
import { METHODS, type MethodRow, senderOf } from "../../src/protocol/methods.ts";
import { eraOf, META, REVISIONS } from "../../src/protocol/revisions.ts";
import { server } from "./support/calls.ts";
import { readCassette, tempFolder } from "./support/cassette.ts";
import { type Program, start } from "./support/program.ts";
import { Talk } from "./support/talk.ts";
import { record, serve } from "./support/walk.ts";

/** Every message of every revision crosses the wire once, is in the cassette, and comes back from it. */

const URI = "note://1";
const TOKEN = "progress-of-the-call";
/** Sent in other places than the rest of its kind. */
const APART = new Set([
  "initialize",
  "resources/unsubscribe",
  "subscriptions/listen",
  "notifications/cancelled",
]);
/** Modern changes are told to those who listen. */
const LISTENED = /list_changed$|resources\/updated$|acknowledged$/;

/** What a method's params must hold for the recorder and the player to know what it is about. */
const PARAMS: Readonly<Record<string, object>> = {
  "notifications/progress": { progressToken: TOKEN, progress: 1 },
  "notifications/message": { level: "info", data: "said" },
  "resources/subscribe": { uri: URI },
  "resources/unsubscribe": { uri: URI },
  "notifications/resources/updated": { uri: URI },
};

class Conversation {
  readonly #talk: Talk;
  readonly #version: string;
  readonly #modern: boolean;

  constructor(program: Program, version: string) {
    this.#talk = new Talk(program);
    this.#version = version;
    this.#modern = eraOf(version) === "modern";
    for (const { method } of METHODS) {
      this.#talk.on(method, ({ params }) => (params?.takenBack === true ? undefined : {}));
    }
  }

  /** Says everything; answers what the server said, with its ids as they were counted. */
  async hold(): Promise<unknown[]> {
    if (!this.#modern) await this.#open();
    for (const { method } of this.#rows("request", "client")) await this.#ask(method);
    await this.#ask("tools/call", { say: this.#serverMessages(), _meta: { progressToken: TOKEN } });
    if (this.#modern) await this.#modernOnly();
    else await this.#ask("resources/unsubscribe");
    for (const { method } of this.#rows("notification", "client")) this.#talk.notify(method, PARAMS[method]);
    await this.#cancel();
    await this.#talk.program.finish();
    return withCountedIds(this.#talk.lines);
  }

  #rows(kind: MethodRow["kind"], side: Side): MethodRow[] {
    return METHODS.filter((row) => {
      const sender = senderOf(row.method, this.#version);
      return row.kind === kind && !APART.has(row.method) && (sender === side || sender === "both");
    });
  }

  async #open(): Promise<void> {
    const clientInfo = { name: "talk", version: "1" };
    const params = { protocolVersion: this.#version, capabilities: {}, clientInfo };
    await this.#talk.ask("initialize", params);
  }

  #params(method: string, { _meta = {}, ...more }: { _meta?: object; [name: string]: unknown } = {}): object {
    const modern = { [META.protocolVersion]: this.#version, [META.clientCapabilities]: {} };
    const meta = this.#modern ? { ...modern, ..._meta } : _meta;
    return { ...PARAMS[method], ...more, ...(Object.keys(meta).length > 0 ? { _meta: meta } : {}) };
  }

  #ask(method: string, more?: object): Promise<unknown> {
    return this.#talk.ask(method, this.#params(method, { ...more }));
  }

  #serverMessages(): object[] {
    const told = this.#rows("notification", "server").filter(
      ({ method }) => !this.#modern || !LISTENED.test(method),
    );
    const notices = told.map(({ method }) => ({ method, params: PARAMS[method] ?? {} }));
    const requests = this.#rows("request", "server").map(({ method }, at) => ({ method, id: `s-${at}` }));
    if (this.#modern) return notices;
    const takenBack = [
      { method: "sampling/createMessage", id: "back", params: { takenBack: true } },
      { method: "notifications/cancelled", params: { requestId: "back" } },
    ];
    return [...notices, ...requests, ...takenBack];
  }

  async #modernOnly(): Promise<void> {
    const inputs = METHODS.filter(({ modernInput }) => modernInput).map(({ method }) => [method, { method }]);
    const asked = { resultType: "input_required", inputRequests: Object.fromEntries(inputs) };
    await this.#ask("tools/call", { name: "asks", answer: asked });
    const inputResponses = Object.fromEntries(inputs.map(([method]) => [method, {}]));
    await this.#ask("tools/call", { name: "asks", inputResponses });
    await this.#listen("ends with a result", "result");
    await this.#listen("ends with a cancellation", "notifications/cancelled");
  }

  /** A subscription, all that it is told, and its end. */
  async #listen(id: string, ends: "result" | "notifications/cancelled"): Promise<void> {
    const _meta = { [META.subscriptionId]: id };
    const changes = METHODS.filter(({ method }) => LISTENED.test(method));
    const rows = changes.filter(({ method }) => senderOf(method, this.#version) === "server");
    // What is honoured comes first.
    const notices = rows.toReversed().map(({ method }) => ({ method, params: { ...PARAMS[method], _meta } }));
    const end = { method: ends, params: { requestId: id, _meta } };
    const said = ends === "result" ? notices : [...notices, end];
    const told = {
      notifications: { toolsListChanged: true, resourceSubscriptions: [URI] },
      answer: { _meta },
    };
    const params = this.#params("subscriptions/listen", { ...told, say: said, hold: ends !== "result" });
    if (ends === "result") await this.#talk.ask("subscriptions/listen", params, id);
    else {
      this.#talk.raw(`${JSON.stringify({ jsonrpc: "2.0", id, method: "subscriptions/listen", params })}\n`);
      await this.#talk.program.printed('"notifications/cancelled"');
    }
  }

  /** A call that is given up, and one after it, so that it is known to have been. */
  async #cancel(): Promise<void> {
    const params = this.#params("tools/call", { name: "hangs", hold: true });
    this.#talk.raw(`${JSON.stringify({ jsonrpc: "2.0", id: "given up", method: "tools/call", params })}\n`);
    this.#talk.notify("notifications/cancelled", { requestId: "given up" });
    await this.#ask("tools/call", { name: "last" });
  }
}

/** The server's own ids are minted anew in a replay. */
function withCountedIds(lines: readonly string[]): unknown[] {
  const names = new Map<unknown, string>();
  return lines.map((line) => {
    const message = JSON.parse(line) as { id?: unknown; method?: string; params?: { requestId?: unknown } };
    if (message.method === undefined) return message;
    if (message.id !== undefined) names.set(message.id, `request ${names.size + 1}`);
    const requestId = names.get(message.params?.requestId);
    return {
      ...message,
      ...(message.id === undefined ? {} : { id: names.get(message.id) }),
      ...(requestId === undefined ? {} : { params: { ...message.params, requestId } }),
    };
  });
}

/** Methods in a cassette, by who sent them; those in `inputRequests` apart. */
async function methodsIn(file: string): Promise<Record<Side | "inputs", string[]>> {
  const found = { client: new Set<string>(), server: new Set<string>(), inputs: new Set<string>() };
  for (const { from, body } of (await readCassette(file)).entries) {
    for (const message of eachMessage(readMessage(body?.bytes ?? new Uint8Array()))) {
      if (message.method !== undefined) found[from].add(message.method);
      const inputs = message.scan.valid ? memberAt(jsonOf(message), "result", "inputRequests") : undefined;
      for (const name of Object.keys(inputs ?? {})) found.inputs.add(name);
    }
  }
  const [client, server, inputs] = [found.client, found.server, found.inputs].map((all) => [...all].sort());
  return { client: client ?? [], server: server ?? [], inputs: inputs ?? [] };
}

function methodsOf(version: string): Record<Side | "inputs", string[]> {
  const by = (side: Side) =>
    METHODS.filter(({ method }) => [side, "both"].includes(senderOf(method, version) ?? ""));
  const inputs = eraOf(version) === "modern" ? METHODS.filter(({ modernInput }) => modernInput) : [];
  const sorted = (rows: readonly MethodRow[]) => rows.map(({ method }) => method).sort();
  return { client: sorted(by("client")), server: sorted(by("server")), inputs: sorted(inputs) };
}

test.each(REVISIONS.map(({ version }) => version))(
  "every message of %s is recorded, and comes back",
  async (version) => {
    const file = join(tempFolder(), "every.yaml");
    const recorder = start(record(file, server("says-what-it-is-told")));
    const heard = await new Conversation(recorder, version).hold();
    expect((await recorder.ended).stderr).toBe("");
    expect(await methodsIn(file)).toEqual(methodsOf(version));
    const replay = start(serve(file));
    expect(await new Conversation(replay, version).hold()).toEqual(heard);
    expect(await replay.ended).toMatchObject({ code: 0, stderr: "" });
  },
);
