// Rows on recording over HTTP. Each answers lines for the table.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { countEntries, drive, listen, node, program } from "../processes.mjs";
import { interleave, median, ratios } from "../stats.mjs";
import { number, ratioLine } from "../table.mjs";

const SIZES = [
  { label: "200 B", size: 200, count: 1000, aim: 1.2 },
  { label: "10 KB", size: 10_000, count: 1000, aim: 1.2 },
  { label: "1 MB", size: 1_000_000, count: 80, aim: 1.3 },
];

/** One call after the other, answered as JSON or as an event stream. */
export async function sequential(context) {
  const lines = [];
  for (const answers of ["JSON", "SSE"]) {
    for (const { label, size, count, aim } of SIZES) {
      const job = { kind: "echo", size, warmup: Math.ceil(count / 5), count: context.scaled(count) };
      const { recorder, proxy } = await compare(context, answers, job);
      lines.push(
        ratioLine({
          name: `record HTTP, one at a time, ${answers}, ${label}: p50`,
          subject: `${number(median(recorder))} ms`,
          baseline: `${number(median(proxy))} ms`,
          ratio: ratios(recorder, proxy),
          aim,
        }),
      );
    }
  }
  return lines;
}

async function compare(context, answers, job) {
  const server = await listen(node(program("echo-http-server.mjs"), ...(answers === "SSE" ? ["--sse"] : [])));
  try {
    return await interleave(context.repetitions(5), {
      recorder: (n) => recorded(context, server.url, job, `http-${answers}-${job.size}-${n}`),
      proxy: () => through(node(program("bare-http-proxy.mjs"), "--url", server.url), job),
    });
  } finally {
    await server.stop();
  }
}

async function recorded({ subject, folder, codec, checksCassette }, url, job, name) {
  const file = join(folder, `${name}.${codec}`);
  const flags = ["-o", file, "--mode", "all", "--url", url, "--listen", "127.0.0.1:0"];
  const p50 = await through(node(subject, "record", ...flags), job);
  const least = 2 * (job.warmup + job.count + 1);
  if (checksCassette) {
    const entries = await countEntries(file);
    if (entries < least) throw new Error(`${file} holds ${entries} entries, not ${least}`);
  }
  await rm(file, { force: true });
  return p50;
}

async function through(command, job) {
  const proxy = await listen(command);
  try {
    return (await drive("drive-http.mjs", { ...job, url: proxy.url })).p50;
  } finally {
    await proxy.stop();
  }
}
