// Cassettes for the serving rows: one initialize, then so many different tools/call exchanges.

import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { INITIALIZE_RESULT, initializeRequest } from "./programs/answers.mjs";

/** Bytes of an exchange are about 500, so 100,000 of them make 50 MB. */
const PROSE = "Light wind from the north-west, some rain in the evening, 3 to 7 °C. ".repeat(2);

export function argumentsOf(index) {
  return { city: `city-${String(index).padStart(6, "0")}`, day: index % 7 };
}

/** Stands in each answer once, before the number of its call. */
export const MARK = "answer-";

/** Stands in the answer to this call and in no other. */
export function markOf(index) {
  return `${MARK}${String(index).padStart(6, "0")}`;
}

export function callRequest(id, index) {
  const params = { name: "forecast", arguments: argumentsOf(index) };
  return JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params });
}

function* messages(exchanges) {
  yield { at: 0, from: "client", message: JSON.parse(initializeRequest(0)) };
  yield { at: 1, from: "server", message: { jsonrpc: "2.0", id: 0, result: INITIALIZE_RESULT } };
  yield { at: 2, from: "client", message: { jsonrpc: "2.0", method: "notifications/initialized" } };
  for (let index = 0; index < exchanges; index++) {
    const id = index + 1;
    const text = `${markOf(index)} ${PROSE}`;
    yield { at: 3 + index, from: "client", message: JSON.parse(callRequest(id, index)) };
    yield {
      at: 3 + index,
      from: "server",
      message: { jsonrpc: "2.0", id, result: { content: [{ type: "text", text }] } },
    };
  }
}

const RECORDED = "2026-11-30T09:00:00.000Z";
const RECORDER = "mcp-vcr/0.1.0";

const CODECS = {
  jsonl: {
    header: () =>
      `${JSON.stringify({
        "mcp-vcr": 1,
        recorded: RECORDED,
        recorder: RECORDER,
        source: { transport: "stdio", command: ["node", "server.mjs"] },
      })}\n`,
    entry: (entry) => `${JSON.stringify(entry)}\n`,
    end: "",
  },
  yaml: {
    header: () =>
      `mcp-vcr: 1\nrecorded: ${RECORDED}\nrecorder: ${RECORDER}\nsource: { transport: stdio, command: [node, server.mjs] }\n`,
    entry: ({ at, from, message }) => `---\nat: ${at}\nfrom: ${from}\nmessage:\n${blockOf(message, "  ")}`,
    // Without it the last entry counts as cut off.
    end: "...\n",
  },
};

/** Objects and arrays as YAML blocks, everything else in JSON's spelling. */
function blockOf(value, indent) {
  return Object.entries(value)
    .map(([key, each]) => {
      const label = `${indent}${Array.isArray(value) ? "-" : `${key}:`}`;
      if (typeof each !== "object" || Object.keys(each).length === 0)
        return `${label} ${JSON.stringify(each)}\n`;
      return `${label}\n${blockOf(each, `${indent}  `)}`;
    })
    .join("");
}

/** Writes a cassette of so many exchanges in the codec its name ends with. */
export async function writeCassette(file, exchanges) {
  const codec = CODECS[file.split(".").at(-1)];
  const out = createWriteStream(file);
  let text = codec.header();
  for (const message of messages(exchanges)) {
    text += codec.entry(message);
    if (text.length > 1 << 20) {
      if (!out.write(text)) await once(out, "drain");
      text = "";
    }
  }
  out.end(text + codec.end);
  await once(out, "close");
}
