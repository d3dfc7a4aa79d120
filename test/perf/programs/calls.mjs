// What a client calls, and how it tells a right answer: kinds of load as data.
import { callRequest, MARK } from "../cassette.mjs";
import { echoRequest, headFor, tailFor } from "./answers.mjs";

/** Calls to an echo server for answers of `size` bytes. */
export function echoCalls(size) {
  const { length } = tailFor(size);
  return {
    request: (id) => echoRequest(id, size),
    /** Looks at the beginning and the length alone, which is enough for an echo and costs the same for 1 MB. */
    idOf(pieces, bytes) {
      const head = Buffer.concat(pieces.slice(0, 2)).toString("latin1", 0, 60);
      const id = Number(head.match(/^\{"jsonrpc":"2\.0","id":(\d+),/)?.[1]);
      if (bytes !== headFor(id).length + length) throw new Error(`an answer of ${bytes} bytes: ${head}`);
      return id;
    },
  };
}

const ID = Buffer.from('"id":');
const MARKED = Buffer.from(MARK);

/** Calls to a cassette made by `writeCassette`, every one of the first `count` in a scattered order. */
export function cassetteCalls(exchanges) {
  const indexOf = (id) => (id * 48271) % exchanges;
  return {
    indexOf,
    request: (id) => callRequest(id, indexOf(id)),
    idOf(pieces) {
      // Not to make a text of it leaves more of the time to the far side.
      const bytes = pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
      const id = numberBehind(bytes, ID);
      if (numberBehind(bytes, MARKED) !== indexOf(id))
        throw new Error(`a wrong answer: ${bytes.toString("utf8", 0, 500)}`);
      return id;
    },
  };
}

/** The digits behind the first place where the bytes say this; NaN where there is none. */
function numberBehind(bytes, sought) {
  let at = placeOf(bytes, sought) + sought.length;
  let value = Number.NaN;
  for (let digit = bytes[at] - 0x30; digit >= 0 && digit <= 9; digit = bytes[++at] - 0x30)
    value = (value || 0) * 10 + digit;
  return value;
}

/** In a short text, to call `Buffer.indexOf` takes longer than to look. */
function placeOf(bytes, sought) {
  for (let start = 0; start < bytes.length; start++) {
    let same = 0;
    while (same < sought.length && bytes[start + same] === sought[same]) same++;
    if (same === sought.length) return start;
  }
  return bytes.length;
}

/**
 * Sends `count` calls with ids from `firstId` on, never more than `inflight` at once, through `send(id)`; the receiver
 * calls `done(id)`. Answers each call's latency in ms and how long all took.
 */
export function load({ firstId, count, inflight, send }) {
  const sentAt = new Float64Array(count).fill(Number.NaN);
  const latencies = new Float64Array(count).fill(Number.NaN);
  const start = performance.now();
  let next = 0;
  let answered = 0;
  let finish;
  const finished = new Promise((resolve) => {
    finish = resolve;
  });
  const sendNext = () => {
    sentAt[next] = performance.now();
    send(firstId + next++);
  };
  const done = (id) => {
    const nth = id - firstId;
    if (!(nth < next) || !Number.isNaN(latencies[nth]))
      throw new Error(`an answer to ${id}, which was not asked or was answered before`);
    const now = performance.now();
    latencies[nth] = now - sentAt[nth];
    answered++;
    if (next < count) sendNext();
    else if (answered === count) finish({ latencies, milliseconds: now - start });
  };
  for (let i = 0; i < Math.min(inflight, count); i++) sendNext();
  return { done, finished };
}
