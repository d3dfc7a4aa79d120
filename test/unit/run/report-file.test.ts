import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import type { Report } from "../../../src/replay/report.ts";
import { ReportFile } from "../../../src/run/report-file.ts";
import { tape } from "../../cases/tape.ts";

let folder: string;
let cassette: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mcp-vcr-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cassette = join(folder, "a.yaml");
  file = join(folder, "report.json");
  writeFileSync(cassette, "a cassette");
});

const report = (hits: number): Report => ({ ...tape([]).player.report(), hits });
const write = (hits: number, probed = false) =>
  new ReportFile(file, cassette).write(() => report(hits), probed);
const hits = () => (JSON.parse(readFileSync(file, "utf8")) as Report).hits;

test("is written as a whole, with nothing beside it, and an earlier one goes when a run begins", () => {
  write(1);
  expect(hits()).toBe(1);
  const next = new ReportFile(file, cassette);
  expect(readdirSync(folder)).toEqual(["a.yaml"]);
  next.write(() => report(2), false);
  expect(hits()).toBe(2);
  expect(readdirSync(folder)).toEqual(["a.yaml", "report.json"]);
});

test("of a run that was only probed, never takes the place of its sibling's", () => {
  const [probe, real] = [new ReportFile(file, cassette), new ReportFile(file, cassette)];
  real.write(() => report(7), false);
  probe.write(() => report(1), true);
  expect(hits()).toBe(7);
});

test("of a run that was only probed, is there until its sibling writes", () => {
  const [probe, real] = [new ReportFile(file, cassette), new ReportFile(file, cassette)];
  probe.write(() => report(1), true);
  expect(hits()).toBe(1);
  real.write(() => report(7), false);
  expect(hits()).toBe(7);
});

test("goes where a link leads, and the link stays", () => {
  const target = join(folder, "target.json");
  writeFileSync(target, "old");
  symlinkSync(target, file);
  write(3);
  expect(hits()).toBe(3);
  expect((JSON.parse(readFileSync(target, "utf8")) as Report).hits).toBe(3);
});

test("into what is no file is written as it is", () => {
  new ReportFile("/dev/null", cassette).write(() => report(1), false);
  expect(readFileSync("/dev/null", "utf8")).toBe("");
});

test("is never the cassette, whatever links lead there", () => {
  symlinkSync(cassette, file);
  for (const same of [cassette, file]) {
    expect(() => new ReportFile(same, cassette)).toThrow(
      expect.objectContaining({
        code: "usage",
        message: `--report ${same} is the cassette itself, which it would overwrite`,
      }),
    );
  }
  expect(readFileSync(cassette, "utf8")).toBe("a cassette");
});

test("where none can be written, says so before a run begins", () => {
  mkdirSync(join(folder, "sub"));
  for (const bad of [join(folder, "none", "report.json"), join(folder, "sub")]) {
    expect(() => new ReportFile(bad, cassette)).toThrow(expect.objectContaining({ code: "usage" }));
  }
});
