import type { Message, MessageKind } from "../protocol/message.ts";
import { questionOf } from "./key.ts";
import { PlainQuestion, type Question } from "./question.ts";

/** Questions remembered at most, and how long their params may be, in bytes. */
const SLOTS = 4096;
const LONGEST = 2048;

interface Known {
  readonly kind: MessageKind;
  readonly method: string;
  /** Of its params. */
  readonly spelling: Uint8Array;
  readonly question: Question;
}

/**
 * `questionOf` for live messages, which are often spelt as one before: a poll, the same call of every test. What came
 * once only is not kept: a client that asks everything once has nothing of it.
 */
export class Questions {
  /** Made when something is kept: a session waits until the command has started. */
  #known: (Known | undefined)[] | undefined;
  /** Of each slot: the hash of what was asked there last. */
  readonly #last = new Uint32Array(SLOTS);

  of(message: Message): Question {
    const { kind, method, bytes, scan } = message;
    const { params } = scan.members;
    if (method === undefined || !params || params.end - params.start > LONGEST) return questionOf(message);
    const spelling = bytes.subarray(params.start, params.end);
    const hash = hashOf(spelling);
    const slot = hash % SLOTS;
    const known = this.#known?.[slot];
    if (known && known.kind === kind && known.method === method && areEqual(known.spelling, spelling)) {
      return known.question;
    }
    const question = questionOf(message);
    if (this.#last[slot] !== hash) {
      this.#last[slot] = hash;
      return question;
    }
    const own = spelling.slice();
    const kept = question instanceof PlainQuestion ? question.withParams(own) : question;
    this.#known ??= new Array(SLOTS).fill(undefined);
    this.#known[slot] = { kind, method, spelling: own, question: kept };
    return kept;
  }
}

/** FNV-1a, 32 bits (http://www.isthe.com/chongo/tech/comp/fnv/). */
function hashOf(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < bytes.length; i++) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);
  return hash >>> 0;
}

function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
