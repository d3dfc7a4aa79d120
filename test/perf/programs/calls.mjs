// What a client calls, and how it tells a right answer: kinds of load as data.
import { callRequest, markOf } from "../cassette.mjs";
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

/** Calls to a cassette made by `writeCassette`, every one of the first `count` in a scattered order. */
export function cassetteCalls(exchanges) {
  const indexOf = (id) => (id * 48271) % exchanges;
  return {
    indexOf,
    request: (id) => callRequest(id, indexOf(id)),
    idOf(pieces) {
      // What is looked for is ASCII, and not to decode UTF-8 leaves more of the time to the far side.
      const text = (pieces.length === 1 ? pieces[0] : Buffer.concat(pieces)).latin1Slice();
      const id = Number(/"id":(\d+)/.exec(text)?.[1]);
      if (!text.includes(markOf(indexOf(id)))) throw new Error(`a wrong answer: ${text.slice(0, 500)}`);
      return id;
    },
  };
}

/**
 * Sends `count` calls, never more than `inflight` at once, through `send(id, text)`; the receiver calls `done(id)`.
 * Answers each call's latency in ms and how long all took.
 */
export function load({ firstId, count, inflight, request, send }) {
  const texts = Array.from({ length: count }, (_, index) => request(firstId + index));
  const began = new Map();
  const latencies = [];
  const start = performance.now();
  let next = firstId;
  let finish;
  const finished = new Promise((resolve) => {
    finish = resolve;
  });
  const sendNext = () => {
    const id = next++;
    began.set(id, performance.now());
    send(id, texts[id - firstId]);
  };
  const done = (id) => {
    const sentAt = began.get(id);
    if (sentAt === undefined)
      throw new Error(`an answer to ${id}, which was not asked or was answered before`);
    began.delete(id);
    latencies.push(performance.now() - sentAt);
    if (next < firstId + count) sendNext();
    else if (began.size === 0) finish({ latencies, milliseconds: performance.now() - start });
  };
  for (let i = 0; i < Math.min(inflight, count); i++) sendNext();
  return { done, finished };
}
