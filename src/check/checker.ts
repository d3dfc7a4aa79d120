import type { Entry, Header } from "../exchange/entry.ts";
import { askedFault, envelopeFault, resultFault } from "../protocol/conformity/messages.ts";
import type { Path, ShapeFault } from "../protocol/conformity/shape.ts";
import { memberAt } from "../protocol/member.ts";
import { eachMessage, type JsonValue, jsonOf, type Message, readMessage } from "../protocol/message.ts";
import { revisionOf } from "../protocol/revisions.ts";
import type { Finding, Report } from "./finding.ts";
import { type Dangling, Minted } from "./minted.ts";
import { type Asked, OpenRequests } from "./open-requests.ts";
import { Settling } from "./settling.ts";
import { type CompileSchema, ToolChecks } from "./tools.ts";
import { Versions } from "./versions.ts";

export interface CheckerParts {
  readonly compile: CompileSchema;
  readonly report: Report;
}

/** Looks a recording through, entry by entry; secrets and the format itself are looked for elsewhere. */
export class Checker {
  readonly #report: Report;
  readonly #tools: ToolChecks;
  readonly #minted = new Minted();
  readonly #requests = new OpenRequests();
  readonly #versions = new Versions();
  readonly #settling: Settling;
  /** Params of calls whose answer is awaited. */
  readonly #calls = new Map<Asked, JsonValue | undefined>();
  #ordinal = -1;

  constructor({ compile, report }: CheckerParts, header: Header) {
    this.#report = report;
    this.#tools = new ToolChecks(compile, report);
    this.#settling = new Settling(header, report);
  }

  add(entry: Entry): void {
    this.#ordinal++;
    this.#settling.add(entry, this.#ordinal);
    const { body, on, session, from } = entry;
    if (typeof on === "object" && from === "server" && !this.#requests.hasAsked(session, "client", on.id)) {
      this.#find(
        "wrong-stream",
        ["on"],
        `on: names the request ${on.id}, and session ${session} asked none of that id`,
        {
          hint: "Give on: the id of the request whose response this came with, or get for the standalone stream.",
        },
      );
    }
    if (body?.form !== "message" && body?.form !== "json") return;
    const frame = readMessage(body.bytes);
    if (frame.kind === "batch") this.#batch(frame, entry);
    else this.#message(frame, entry, [body.form]);
  }

  /** Everything was read. */
  finish(): void {
    this.#tools.finish();
    this.#settling.finish();
  }

  #batch(frame: Message, entry: Entry): void {
    const version = this.#versions.of(entry.session);
    if (revisionOf(version)?.batches === "removed") {
      this.#find("message", ["message"], `a batch, which ${version} does not have`);
    }
    let item = 0;
    for (const message of eachMessage(frame)) this.#message(message, entry, ["message", item++]);
  }

  #message(message: Message, entry: Entry, path: Path): void {
    const value = jsonOf(message);
    const broken = envelopeFault(value);
    if (broken) this.#fault(broken, path, "the message");
    if (message.kind === "request" || message.kind === "notification")
      this.#ask(message, value, { entry, path });
    else if (message.kind === "response") this.#answer(message, value, { entry, path });
  }

  #ask(message: Message, value: JsonValue, { entry, path }: Place): void {
    const { session, from } = entry;
    const method = message.method as string;
    const params = memberAt(value, "params");
    const version = this.#versions.ofAsk(session, method, params);
    const isRequest = message.kind === "request";
    const fault = askedFault(value, { method, from, version, isRequest });
    const dangling = this.#minted.add(partOf(entry, message), isRequest, () => undefined);
    if (!isRequest) {
      if (fault) this.#fault(fault, path, method);
      for (const each of dangling) this.#dangles(each, this.#ordinal, path);
      return;
    }
    const ordinal = this.#ordinal;
    const id = message.id as string;
    const doubts = { fault, dangling };
    const asked: Asked = { session, from, id, method, version, ordinal, path, doubts, answered: false };
    this.#requests.ask(asked);
    if (method === "tools/call") this.#calls.set(asked, params);
  }

  #answer(message: Message, value: JsonValue, { entry, path }: Place): void {
    const { session, from } = entry;
    // An error without an id answers what could not be read.
    if (message.id === undefined || message.id === "null") return;
    const asked = this.#requests.find(session, from, message.id);
    this.#minted.add(partOf(entry, message), false, () => asked?.method);
    if (!asked || asked.answered) {
      const why = asked ? "is answered already" : "was not asked";
      this.#find(
        "unasked",
        path,
        `an answer to the request ${message.id}, which ${why} in session ${session}`,
        {
          hint: "Give it the id and the session of its request, or delete the entry.",
        },
      );
      return;
    }
    asked.answered = true;
    if (!message.isError) this.#accepted(asked, value, path);
    this.#calls.delete(asked);
  }

  /** The other side took the request, so what is wrong with it counts. */
  #accepted(asked: Asked, value: JsonValue, path: Path): void {
    const { method, version, session, doubts } = asked;
    if (doubts.fault) this.#fault(doubts.fault, asked.path, method, asked.ordinal);
    for (const each of doubts.dangling) this.#dangles(each, asked.ordinal, asked.path);
    const result = memberAt(value, "result");
    if (method === "initialize") this.#versions.settle(session, result);
    const settled = method === "initialize" ? this.#versions.of(session) : version;
    const fault = resultFault(value, method, settled);
    if (fault) this.#fault(fault, path, `the result of ${method}`);
    if (method === "tools/list") this.#tools.listed(session, result, { ordinal: this.#ordinal, path });
    if (method === "tools/call") this.#called(asked, result, path);
  }

  #called(asked: Asked, result: JsonValue | undefined, path: Path): void {
    const params = this.#calls.get(asked);
    const name = memberAt(params, "name");
    if (typeof name !== "string" || asked.doubts.fault) return;
    this.#tools.called({
      session: asked.session,
      name,
      args: memberAt(params, "arguments"),
      result,
      asked,
      answered: { ordinal: this.#ordinal, path },
    });
  }

  #dangles({ what, token, progress }: Dangling, ordinal: number, path: Path): void {
    const rest = progress
      ? "no request gave it out"
      : "the server never gave it out, and took it all the same";
    this.#report({
      rule: "dangling",
      ordinal,
      path,
      message: `the ${what} ${shortened(token)} is given back, and ${rest}`,
      hint: "Put the entry that gives it out back in, or use the one that is given out.",
    });
  }

  #fault({ path, message }: ShapeFault, at: Path, what: string, ordinal = this.#ordinal): void {
    const where = path.length === 0 ? what : `${what}: /${path.join("/")}`;
    this.#report({ rule: "message", ordinal, path: [...at, ...path], message: `${where} ${message}` });
  }

  #find(rule: Finding["rule"], path: Path, message: string, { hint }: { hint?: string } = {}): void {
    this.#report({ rule, ordinal: this.#ordinal, path, message, hint });
  }
}

interface Place {
  readonly entry: Entry;
  readonly path: Path;
}

/** An entry with this message alone. */
function partOf(entry: Entry, { bytes }: Message): Entry {
  return { ...entry, body: { form: "message", bytes } };
}

/** In characters. */
const LONGEST_TOKEN = 40;

function shortened(token: string): string {
  return token.length > LONGEST_TOKEN ? `${token.slice(0, LONGEST_TOKEN)}…` : token;
}
