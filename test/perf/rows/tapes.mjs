// Rows on tapes in tests. Each answers lines for the table.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { writeCassette } from "../cassette.mjs";
import { program } from "../processes.mjs";
import { interleave, median, ratios } from "../stats.mjs";
import { number, ratioLine, valueLine } from "../table.mjs";

const LIBRARY = fileURLToPath(new URL("../../../dist/index.js", import.meta.url));
const TESTS = 1000;
/** Exchanges of a small cassette. */
const SMALL = 10;
/** Milliseconds that a test may spend on opening and closing its tape. */
const AIM = 9;

/** 1,000 tests, each with a server of its own in the process: one connects, calls a tool, and closes. */
export async function small(context) {
  const count = String(context.scaled(TESTS));
  const yaml = join(context.folder, "tape.yaml");
  const jsonl = join(context.folder, "tape.jsonl");
  await Promise.all([writeCassette(yaml, SMALL), writeCassette(jsonl, SMALL)]);
  const run = async (kind, file) => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      program("tapes.mjs"),
      kind,
      count,
      LIBRARY,
      file,
    ]);
    return JSON.parse(stdout);
  };
  const results = await interleave(context.repetitions(5), {
    yaml: () => run("cassette", yaml),
    jsonl: () => run("cassette", jsonl),
    mock: () => run("mock", yaml),
    sdk: () => run("sdk", yaml),
  });
  const of = (side, key) => results[side].map((each) => each[key]);
  const sdk = of("sdk", "test");
  return [
    ["yaml", `a YAML cassette of ${SMALL} exchanges`],
    ["jsonl", "  the same in JSON Lines"],
    ["mock", "  mockServer with one tool"],
  ].flatMap(([side, name]) => [
    ratioLine({
      name: `${side === "yaml" ? "1,000 tests, each with " : ""}${name}, against an SDK server in memory`,
      subject: `${number(median(of(side, "test")))} ms`,
      baseline: `${number(median(sdk))} ms`,
      ratio: ratios(of(side, "test"), sdk),
    }),
    valueLine({
      name: "    opening and closing, for each test",
      subject: `${number(median(of(side, "own")))} ms`,
      baseline: "",
      value: median(of(side, "own")),
      unit: "ms",
      aim: AIM,
    }),
  ]);
}
