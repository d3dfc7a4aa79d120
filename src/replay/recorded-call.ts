import type { Exchange } from "../exchange/exchange.ts";
import { copyInto } from "../protocol/copy-into.ts";
import type { Message } from "../protocol/message.ts";
import type { Calls } from "./calls.ts";
import type { Recorded } from "./candidates.ts";

/** Where calls stand in a file. */
export interface CallsIn {
  readonly bytes: Uint8Array;
  readonly calls: Calls;
}

/** A recorded call. Its answer is made of the file's bytes, without reading the entry. */
export class RecordedCall implements Recorded {
  readonly number: number;
  readonly exchange: Exchange;
  readonly client = undefined;
  readonly inputs = undefined;
  readonly without = undefined;
  readonly withToken = false;
  readonly authorization = undefined;
  improper = false;
  readonly #in: CallsIn;
  readonly #row: number;

  constructor(calls: CallsIn, row: number) {
    this.number = calls.calls.numberOf(row);
    this.exchange = calls.calls.exchangeOf(row);
    this.#in = calls;
    this.#row = row;
  }

  /** Its answer with the id of a live request, in bytes that `roomFor` gives. It has no line breaks. */
  answerTo(request: Message, roomFor: (length: number) => Uint8Array): Uint8Array {
    const { bytes, calls } = this.#in;
    const row = this.#row;
    const start = calls.answerStart(row);
    const end = calls.answerEnd(row);
    const id = calls.answerId(row);
    const idEnd = calls.answerIdEnd(row);
    const live = request.scan.members.id ?? NO_ID;
    const liveEnd = id - start + live.end - live.start;
    const answer = roomFor(liveEnd + end - idEnd);
    copyInto(answer, 0, { bytes, start, end: id });
    copyInto(answer, id - start, { bytes: request.bytes, start: live.start, end: live.end });
    copyInto(answer, liveEnd, { bytes, start: idEnd, end });
    return answer;
  }
}

const NO_ID = { start: 0, end: 0 };
