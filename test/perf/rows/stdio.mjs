// Rows on recording over stdio. Each answers lines for the table.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { countEntries, drive, ECHO_SERVER, node, program } from "../processes.mjs";
import { interleave, median, ratios } from "../stats.mjs";
import { number, ratioLine, valueLine } from "../table.mjs";

const SIZES = [
  { label: "200 B", size: 200, count: 10_000, p50: 1.3, processorTime: 8, throughput: 0.8 },
  { label: "10 KB", size: 10_000, count: 2000, p50: 1.6, processorTime: 60, throughput: 0.6 },
  { label: "1 MB", size: 1_000_000, count: 120, p50: 2.0, processorTime: 6000, throughput: 0.6 },
];

/** Of a call: the request and its answer. */
const MESSAGES = 2;

const BYTE_PIPE = node(program("byte-pipe.mjs"), "--", ...ECHO_SERVER);

/** The drive of one job through the recorder, which must have written an entry for every message. */
function recorded({ subject, folder, codec, checksCassette }, job, options) {
  return async (n) => {
    const file = join(folder, `${job.kind}-${job.size ?? ""}-${n}.${codec}`);
    const command = node(subject, "record", "-o", file, "--mode", "all", "--", ...ECHO_SERVER);
    const result = await drive("drive-stdio.mjs", { ...job, command }, options);
    const calls = (job.warmup ?? 0) + (job.count ?? 0);
    const least = 3 + 2 * calls;
    if (checksCassette) {
      const entries = await countEntries(file);
      if (entries < least) throw new Error(`${file} holds ${entries} entries, not ${least}`);
    }
    // Left there, the recordings of 1 MB answers come to gigabytes, and writing goes to pages that are new to the machine.
    await rm(file, { force: true });
    return result;
  };
}

function piped(job, options) {
  return () => drive("drive-stdio.mjs", { ...job, command: BYTE_PIPE }, options);
}

async function compare(context, repetitions, job, options) {
  const sides = { recorder: recorded(context, job, options), pipe: piped(job, options) };
  return await interleave(repetitions, sides);
}

const pick = (results, key) => results.map((result) => result[key]);

/** Everything on one core, one call after the other. */
export async function sequential(context) {
  const lines = [];
  for (const { label, size, count, p50, processorTime } of SIZES) {
    const job = {
      kind: "echo",
      size,
      // As many again: a session that lasts is one whose code is compiled.
      warmup: context.scaled(count),
      count: context.scaled(count),
      inflight: 1,
    };
    const { recorder, pipe } = await compare(context, context.repetitions(7), job, { pinned: true });
    const [own, bare] = [pick(recorder, "p50"), pick(pipe, "p50")];
    const [ownTime, bareTime] = [
      median(pick(recorder, "processorTime")) / MESSAGES,
      median(pick(pipe, "processorTime")) / MESSAGES,
    ];
    lines.push(
      ratioLine({
        name: `record stdio, one core, one at a time, ${label}: p50`,
        subject: `${number(median(own))} ms`,
        baseline: `${number(median(bare))} ms`,
        ratio: ratios(own, bare),
        aim: p50,
      }),
      valueLine({
        name: "  processor time a message, more than the byte pipe's",
        subject: `${number(ownTime)} µs`,
        baseline: `${number(bareTime)} µs`,
        value: ownTime - bareTime,
        unit: "µs",
        aim: processorTime,
      }),
    );
  }
  return lines;
}

/** Both cores, 64 calls in flight. */
export async function flood(context) {
  const lines = [];
  for (const { label, size, count, throughput } of SIZES) {
    const total = context.scaled(count * 4);
    const job = { kind: "echo", size, warmup: Math.ceil(total / 5), count: total, inflight: 64 };
    const { recorder, pipe } = await compare(context, context.repetitions(7), job);
    const [own, bare] = [pick(recorder, "perSecond"), pick(pipe, "perSecond")];
    lines.push(
      ratioLine({
        name: `record stdio, two cores, 64 in flight, ${label}: calls a second`,
        subject: `${number(median(own))} /s`,
        baseline: `${number(median(bare))} /s`,
        ratio: ratios(own, bare),
        aim: throughput,
        higherIsBetter: true,
      }),
      valueLine({
        name: "  processor time a call, in all",
        subject: `${number(median(pick(recorder, "processorTime")))} µs`,
        baseline: `${number(median(pick(pipe, "processorTime")))} µs`,
        value: median(pick(recorder, "processorTime")),
        unit: "µs",
      }),
      valueLine({
        name: "  peak memory",
        subject: `${number(median(pick(recorder, "memory")))} MiB`,
        baseline: `${number(median(pick(pipe, "memory")))} MiB`,
        value: median(pick(recorder, "memory")),
        unit: "MiB",
      }),
    );
  }
  return lines;
}

/** The server sends 300 MB while the client reads nothing, then the client reads it all. */
export async function memory(context) {
  const job = { kind: "stall", bytes: context.scaled(300_000_000), milliseconds: 3000 };
  const { recorder, pipe } = await compare(context, context.repetitions(3), job);
  const line = (name, key, aim) =>
    valueLine({
      name,
      subject: `${number(median(pick(recorder, key)))} MiB`,
      baseline: `${number(median(pick(pipe, key)))} MiB`,
      value: Math.max(...pick(recorder, key)),
      unit: "MiB",
      aim,
    });
  return [
    line("record stdio, client stalls, server sends 300 MB: memory", "stalled", 80),
    line("  peak when all of it has passed", "memory"),
  ];
}

/** From the start of the process to the answer to initialize. */
export async function ready(context) {
  const { recorder, pipe } = await compare(context, context.repetitions(15), { kind: "ready" });
  const [own, bare] = [pick(recorder, "ready"), pick(pipe, "ready")];
  return [
    ratioLine({
      name: "record stdio, ready",
      subject: `${number(median(own))} ms`,
      baseline: `${number(median(bare))} ms`,
      ratio: ratios(own, bare),
      aim: 1.2,
    }),
  ];
}
