// Rows on serving a cassette. Each answers lines for the table.
import { join } from "node:path";
import { writeCassette } from "../cassette.mjs";
import { drive, listen, node, program, timeToExit } from "../processes.mjs";
import { interleave, median, ratios } from "../stats.mjs";
import { number, ratioLine, valueLine } from "../table.mjs";

const NOTHING = [process.execPath, "-e", "0"];
const SMALL = 1000;
const LARGE = 100_000;

/** Cassettes are written once for all rows. The hand-written mock reads `.jsonl` alone. */
const written = new Map();
function cassette({ folder }, exchanges, codec) {
  const file = join(folder, `serve-${exchanges}.${codec}`);
  if (!written.has(file)) written.set(file, writeCassette(file, exchanges));
  return written.get(file).then(() => file);
}

const ms = (values) => `${number(median(values))} ms`;
const pick = (results, key) => results.map((result) => result[key]);

/** 1,000 exchanges: from the start of the process to its first answer. */
export async function start(context) {
  const own = node(context.subject, "serve", await cassette(context, SMALL, context.codec));
  const mock = node(program("sdk-mock.mjs"), "serve", await cassette(context, SMALL, "jsonl"));
  const job = { kind: "firstCall", index: SMALL - 1 };
  const results = await interleave(context.repetitions(15), {
    serve: () => drive("drive-stdio.mjs", { ...job, command: own }),
    nothing: () => timeToExit(NOTHING),
    mock: () => drive("drive-stdio.mjs", { ...job, command: mock }),
  });
  const line = (name, values, aim) =>
    ratioLine({
      name,
      subject: ms(values),
      baseline: ms(results.nothing),
      ratio: ratios(values, results.nothing),
      aim,
    });
  return [
    line("serve, 1,000 exchanges, first answer, against node -e 0", pick(results.serve, "ready"), 1.4),
    line("  first call answered", pick(results.serve, "first")),
    line("  (mock by hand with the SDK, first answer)", pick(results.mock, "ready")),
  ];
}

/** 100,000 exchanges of 50 MB: opened, one call answered, memory. */
export async function large(context) {
  const own = node(context.subject, "serve", await cassette(context, context.scaled(LARGE), context.codec));
  const job = { kind: "firstCall", index: context.scaled(LARGE) - 1, command: own };
  const results = await interleave(context.repetitions(7), {
    serve: () => drive("drive-stdio.mjs", job),
    nothing: () => timeToExit(NOTHING),
  });
  const line = (name, key, aim) => {
    const values = pick(results.serve, key);
    const ratio = ratios(values, results.nothing);
    return ratioLine({ name, subject: ms(values), baseline: ms(results.nothing), ratio, aim });
  };
  const resident = pick(results.serve, "memory");
  return [
    line("serve, 100,000 exchanges, initialize answered, against node -e 0", "ready", 2),
    line("  first call answered", "first", 11),
    valueLine({
      name: "  memory",
      subject: `${number(median(resident))} MiB`,
      value: median(resident),
      unit: "MiB",
      aim: 200,
    }),
  ];
}

/**
 * Calls before those that are measured: until the engine has compiled what they run through, and the heap has its size,
 * on either side. The faster one is through with them in a third of a second.
 */
const WARMUP = 50_000;
const COUNT = 100_000;

/** 64 calls in flight over stdio, in a scattered order, against the mock by hand. */
export async function load(context) {
  const lines = [];
  for (const [exchanges, aim] of [
    [SMALL, 5],
    [context.scaled(LARGE), 3],
  ]) {
    const own = node(context.subject, "serve", await cassette(context, exchanges, context.codec));
    const mock = node(program("sdk-mock.mjs"), "serve", await cassette(context, exchanges, "jsonl"));
    const job = {
      kind: "cassette",
      exchanges,
      warmup: context.scaled(WARMUP),
      count: context.scaled(COUNT),
      inflight: 64,
    };
    const results = await interleave(context.repetitions(5), {
      serve: () => drive("drive-stdio.mjs", { ...job, command: own }),
      mock: () => drive("drive-stdio.mjs", { ...job, command: mock }),
    });
    const label = `serve, ${exchanges.toLocaleString("en")} exchanges, 64 in flight, against the SDK mock`;
    lines.push(perSecondLine(label, results, aim));
  }
  return lines;
}

/** The same over HTTP. */
export async function http(context) {
  const own = node(
    context.subject,
    "serve",
    await cassette(context, SMALL, context.codec),
    "--listen",
    "127.0.0.1:0",
  );
  const mock = node(program("sdk-mock.mjs"), "serve", await cassette(context, SMALL, "jsonl"), "--listen");
  const job = {
    kind: "cassette",
    exchanges: SMALL,
    warmup: context.scaled(3000),
    count: context.scaled(10_000),
    inflight: 64,
  };
  const over = async (command) => {
    const server = await listen(command);
    try {
      return await drive("drive-http.mjs", { ...job, url: server.url });
    } finally {
      await server.stop();
    }
  };
  const results = await interleave(context.repetitions(5), {
    serve: () => over(own),
    mock: () => over(mock),
  });
  return [
    perSecondLine("serve --listen, 1,000 exchanges, 64 in flight, against the SDK's HTTP mock", results, 4),
  ];
}

function perSecondLine(name, results, aim) {
  const [own, mock] = [pick(results.serve, "perSecond"), pick(results.mock, "perSecond")];
  return ratioLine({
    name,
    subject: `${number(median(own))} /s`,
    baseline: `${number(median(mock))} /s`,
    ratio: ratios(own, mock),
    aim,
    higherIsBetter: true,
  });
}
