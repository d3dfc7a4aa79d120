// What the echo servers answer, so that the clients can tell a right answer from a wrong one without parsing it.

const WORDS =
  'wind rain 12.5 °C Oslo morning station=4711 \\n the of clear and gusts up to north-west, \\"quoted\\" 87%';

const tails = new Map();

/** Everything of the answer after its id; the whole answer is about `size` bytes. */
export function tailFor(size) {
  let tail = tails.get(size);
  if (tail === undefined) {
    tail = Buffer.from(
      `,"result":{"content":[{"type":"text","text":"${textOf(size - 80)}"}],"isError":false}}`,
    );
    tails.set(size, tail);
  }
  return tail;
}

export function headFor(id) {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)}`;
}

/** Some bytes of prose in JSON's spelling, the same in every run. */
function textOf(bytes) {
  const words = WORDS.split(" ");
  const parts = [];
  let state = 1;
  for (let length = 0; length < bytes; ) {
    state = (state * 48271) % 0x7fffffff;
    const word = words[state % words.length];
    parts.push(word);
    length += Buffer.byteLength(word) + 1;
  }
  return parts.join(" ");
}

export const INITIALIZE_RESULT = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: {}, logging: {} },
  serverInfo: { name: "echo", version: "1.0.0" },
};

/** The request that gets an answer of `size` bytes. */
export function echoRequest(id, size) {
  const params = { name: "echo", arguments: { size, city: "Oslo", call: id } };
  return JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params });
}

export function initializeRequest(id) {
  const params = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "bench", version: "1.0.0" },
  };
  return JSON.stringify({ jsonrpc: "2.0", id, method: "initialize", params });
}

export const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
