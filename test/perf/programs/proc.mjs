// What Linux tells of a running process.
import { readdirSync, readFileSync } from "node:fs";

/** Processor time of all its threads so far, in ms. */
export function processorTime(pid) {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = threads.map((id) =>
    Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, "utf8").split(" ")[0]),
  );
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6;
}

/** Processor time in ms once the process has nothing more to do: work left behind counts too. */
export async function settledProcessorTime(pid) {
  const patience = performance.now() + 60_000;
  for (let before = processorTime(pid); performance.now() < patience; ) {
    await new Promise((resolve) => setTimeout(resolve, 40));
    const now = processorTime(pid);
    if (now - before < 0.3) return now;
    before = now;
  }
  throw new Error(`process ${pid} is still busy a minute after its last answer`);
}

/** Resident memory in MiB: `now`, and the `peak` since the process began. */
export function memory(pid) {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const mebibytes = (name) => Number(status.match(new RegExp(`^${name}:\\s+(\\d+) kB`, "m"))[1]) / 1024;
  return { now: mebibytes("VmRSS"), peak: mebibytes("VmHWM") };
}
