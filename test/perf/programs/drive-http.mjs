// The client of the HTTP rows, a process of its own. Takes one job as JSON, prints one result as JSON.
import { Agent, request } from "node:http";
import { percentile } from "../stats.mjs";
import { INITIALIZED, initializeRequest } from "./answers.mjs";
import { cassetteCalls, echoCalls, load } from "./calls.mjs";
import { RawHttpClient } from "./raw-http-client.mjs";

const job = JSON.parse(process.argv[2]);
const url = new URL(job.url);
const agent = new Agent({ keepAlive: true });
const headers = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};
const opened = await post(initializeRequest(0));
if (!opened.body.includes('"serverInfo"'))
  throw new Error(`initialize was answered with ${opened.body.slice(0, 500)}`);
headers["mcp-protocol-version"] = "2025-11-25";
const session = opened.headers["mcp-session-id"];
if (session) headers["mcp-session-id"] = session;
const { status } = await post(INITIALIZED);
if (status !== 202) throw new Error(`notifications/initialized was answered with ${status}`);
const result = await { echo, cassette }[job.kind](job);
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exit();

/** One call after the other with Node's own HTTP client, as a client would have it. */
async function echo({ size, warmup, count }) {
  const calls = echoCalls(size);
  const latencies = [];
  for (let id = 1; id <= warmup + count; id++) {
    const began = performance.now();
    const { body } = await post(calls.request(id));
    latencies.push(performance.now() - began);
    const message = messageIn(body);
    if (calls.idOf([message], message.length) !== id) throw new Error(`not the answer to ${id}`);
  }
  return { p50: percentile(latencies.slice(warmup), 0.5) };
}

/** Many at once through a client so lean that it is not what is measured. */
async function cassette({ exchanges, warmup, count, inflight }) {
  const calls = cassetteCalls(exchanges);
  const raw = new RawHttpClient(url, headers);
  const run = (firstId, count) => {
    const requests = Array.from({ length: count }, (_, nth) => calls.request(firstId + nth));
    const send = (id) =>
      raw.post(requests[id - firstId], (body) => {
        if (calls.idOf([messageIn(body)]) !== id) throw new Error(`not the answer to ${id}`);
        done(id);
      });
    const { done, finished } = load({ firstId, count, inflight, send });
    return finished;
  };
  await run(1, warmup);
  const { milliseconds } = await run(1 + warmup, count);
  return { perSecond: (count / milliseconds) * 1000 };
}

/** The JSON text in a body, be it JSON or an event stream with one event that has a message. */
function messageIn(body) {
  if (body[0] === 0x7b) return body;
  const start = body.indexOf("data: {");
  return body.subarray(start + 6, body.indexOf("\n", start));
}

function post(text) {
  return new Promise((resolve, reject) => {
    const options = {
      method: "POST",
      agent,
      headers: { ...headers, "content-length": Buffer.byteLength(text) },
    };
    const outgoing = request(url, options, (answer) => {
      const chunks = [];
      answer.on("data", (chunk) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () =>
        resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) }),
      );
    });
    outgoing.on("error", reject);
    outgoing.end(text);
  });
}
