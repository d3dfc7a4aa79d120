// The client of the stdio rows, a process of its own. Takes one job as JSON, prints one result as JSON.
import { callRequest, markOf } from "../cassette.mjs";
import { percentile } from "../stats.mjs";
import { cassetteCalls, echoCalls, load } from "./calls.mjs";
import { LineClient } from "./line-client.mjs";
import { memory, settledProcessorTime } from "./proc.mjs";

const job = JSON.parse(process.argv[2]);
const client = new LineClient(job.command);
const ready = await client.initialize();
const result = await { ready: async () => ({}), echo, cassette, firstCall, stall }[job.kind](job);
await client.end();
process.stdout.write(`${JSON.stringify({ ready, ...result })}\n`);

function echo({ size, ...rest }) {
  return measure({ ...rest, calls: echoCalls(size) });
}

function cassette({ exchanges, ...rest }) {
  return measure({ ...rest, calls: cassetteCalls(exchanges) });
}

/** Warms up, then measures: p50 in ms, calls a second, processor time of the far process in µs a call. */
async function measure({ calls, warmup, count, inflight }) {
  await run({ calls, firstId: 1, count: warmup, inflight });
  const before = await settledProcessorTime(client.pid);
  const { latencies, milliseconds } = await run({ calls, firstId: 1 + warmup, count, inflight });
  const after = await settledProcessorTime(client.pid);
  return {
    p50: percentile(latencies, 0.5),
    perSecond: (count / milliseconds) * 1000,
    processorTime: ((after - before) / count) * 1000,
    memory: memory(client.pid).peak,
  };
}

async function run({ calls, firstId, count, inflight }) {
  const requests = Array.from({ length: count }, (_, nth) => calls.request(firstId + nth));
  const { done, finished } = load({ firstId, count, inflight, send: client.sender(requests, firstId) });
  client.onLine = (pieces, length) => done(calls.idOf(pieces, length));
  return await finished;
}

/** One call after initialize: milliseconds from the start of the process to its answer. */
async function firstCall({ index }) {
  client.send(callRequest(1, index));
  const { text, at } = await client.nextLine();
  if (!text.includes(markOf(index))) throw new Error(`a wrong answer: ${text.slice(0, 500)}`);
  return { first: at - client.began, memory: memory(client.pid).peak };
}

/** Has the server send `bytes`, reads nothing for `milliseconds`, then everything. */
async function stall({ bytes, milliseconds }) {
  let received = 0;
  let answered;
  const finished = new Promise((resolve) => {
    answered = resolve;
  });
  client.onLine = (pieces, length) => {
    received += length + 1;
    if (pieces[0].toString("latin1", 0, 60).includes('"id":1')) answered();
  };
  client.child.stdout.pause();
  const params = { name: "flood", arguments: { bytes } };
  client.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }));
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  const stalled = memory(client.pid);
  client.child.stdout.resume();
  await finished;
  if (received < bytes) throw new Error(`${received} bytes arrived, not ${bytes}`);
  return { stalled: stalled.peak, memory: memory(client.pid).peak };
}
