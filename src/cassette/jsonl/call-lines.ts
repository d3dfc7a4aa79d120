import { methodNameAt } from "../../protocol/method-name.ts";
import type { CallMark, LocatedCall } from "../call-codec.ts";
import type { Located } from "../codec.ts";
import type { Parts } from "../parts.ts";
import { INNER, type LineMembers, MEMBER } from "./line-members.ts";
import { sideOf } from "./plain-entry.ts";

/** Ids and sessions of up to so many digits are taken, so that 32 bits hold them. */
const MOST_DIGITS = 9;
/** What a line of a call has, and nothing else. */
const PLAIN = (1 << MEMBER.at) | (1 << MEMBER.from) | (1 << MEMBER.session) | (1 << MEMBER.message);

/** Where the line being read begins. */
export interface LineStart {
  readonly start: number;
  readonly line: number;
  /** A carriage return stands in it that is no part of its ending; for some that ends a line. */
  readonly isBroken: boolean;
}

/**
 * Finds calls among lines: a request whose answer is the next line, where neither says anything else. One request at a
 * time is held back until the next line shows what it is.
 */
export class CallLines {
  readonly #mark: CallMark;
  readonly #members: LineMembers;
  readonly #parts: Parts;
  /** The request held back; all that follows is of it. */
  #held: Uint8Array | undefined;
  #start = 0;
  #line = 0;
  #session = 0;
  #at = 0;
  #id = 0;
  #method = "";
  #hash = 0;
  #messageStart = 0;
  #messageEnd = 0;
  #paramsStart = 0;
  #paramsEnd = 0;

  /** @param members has read each line that is taken */
  constructor(mark: CallMark, members: LineMembers, parts: Parts) {
    this.#mark = mark;
    this.#members = members;
    this.#parts = parts;
  }

  /** True when the line belongs to a call, or may: then it comes with the next line, or is released by it. */
  take(line: Uint8Array, at: LineStart, found: (Located | LocatedCall)[]): boolean {
    const session = this.#sessionOf();
    if (this.#held && session === this.#session && !at.isBroken && this.#isAnswer()) {
      found.push(this.#call(line, at.start));
      this.#held = undefined;
      return true;
    }
    this.release(found);
    return session > 0 && this.#hold(line, session, at);
  }

  /** The request that is held back turns out to be none of a call. */
  release(found: (Located | LocatedCall)[]): void {
    const line = this.#held;
    if (!line) return;
    this.#held = undefined;
    const { part } = this.#parts;
    const bytes = line.subarray(this.#messageStart, this.#messageEnd);
    found.push({
      entry: {
        at: this.#at,
        from: "client",
        session: this.#session + part.sessionBase,
        body: { form: "message", bytes },
      },
      start: this.#start,
      end: this.#start + line.length,
      line: this.#line,
      part,
    });
  }

  /** The session, if it is no huge number, of a line that says nothing but a message; 0 of any other line. */
  #sessionOf(): number {
    const members = this.#members;
    if (!members.hasOnly(PLAIN) || !members.has(MEMBER.at) || !members.has(MEMBER.message)) return 0;
    if (members.wholeOf(MEMBER.at) < 0 || members.inner.escaped) return 0;
    const session = members.has(MEMBER.session) ? members.wholeOf(MEMBER.session) : 1;
    return session + this.#parts.part.sessionBase < 10 ** MOST_DIGITS ? Math.max(0, session) : 0;
  }

  #isAnswer(): boolean {
    const { inner } = this.#members;
    return (
      sideOf() === "server" &&
      inner.has(INNER.id) &&
      !inner.has(INNER.method) &&
      (inner.has(INNER.result) || inner.has(INNER.error)) &&
      this.#numberedId() === this.#id
    );
  }

  #hold(line: Uint8Array, session: number, { start, line: number }: LineStart): boolean {
    const members = this.#members;
    const { inner } = members;
    if (!inner.has(INNER.id) || !inner.has(INNER.method) || !inner.has(INNER.params)) return false;
    const id = this.#numberedId();
    if (id < 0 || sideOf() !== "client") return false;
    const method = methodNameAt(line, inner.startOf(INNER.method), inner.endOf(INNER.method));
    const params = { start: inner.startOf(INNER.params), end: inner.endOf(INNER.params) };
    const hash = this.#mark(line, method, params);
    if (hash === undefined) return false;
    this.#held = line;
    this.#start = start;
    this.#line = number;
    this.#session = session;
    this.#parts.saw(session + this.#parts.part.sessionBase);
    this.#at = members.wholeOf(MEMBER.at);
    this.#id = id;
    this.#method = method;
    this.#hash = hash;
    this.#messageStart = members.startOf(MEMBER.message);
    this.#messageEnd = members.endOf(MEMBER.message);
    this.#paramsStart = start + params.start;
    this.#paramsEnd = start + params.end;
    return true;
  }

  /** An id as nearly all are, a small number spelt as JavaScript spells it; -1 of any other. */
  #numberedId(): number {
    const { inner } = this.#members;
    const length = inner.endOf(INNER.id) - inner.startOf(INNER.id);
    const id = length > MOST_DIGITS ? -1 : inner.wholeOf(INNER.id);
    return length > 1 && id < 10 ** (length - 1) ? -1 : id;
  }

  #call(answer: Uint8Array, answerStart: number): LocatedCall {
    const members = this.#members;
    const start = this.#start;
    const { part } = this.#parts;
    return {
      start,
      end: start + (this.#held as Uint8Array).length,
      answerEnd: answerStart + answer.length,
      line: this.#line,
      part,
      session: this.#session + part.sessionBase,
      id: this.#id,
      method: this.#method,
      hash: this.#hash,
      paramsStart: this.#paramsStart,
      paramsEnd: this.#paramsEnd,
      answer: {
        start: answerStart + members.startOf(MEMBER.message),
        end: answerStart + members.endOf(MEMBER.message),
      },
      answerId: answerStart + members.inner.startOf(INNER.id),
    };
  }
}
