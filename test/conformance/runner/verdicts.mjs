import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Reads what a run of the suite left in its output folder: a folder `server-SCENARIO-TIME` each, with a
 * `checks.json`. Gives a Map from the scenario to its verdict; a folder without checks gives none.
 *
 * A verdict is `{ outcome, checks }`. `checks` maps a check (its id, its name, and which of the equal ones) to
 * `SUCCESS`, `WARNING`, `FAILURE` or `SKIPPED`. What the suite only observed (`INFO`) is left out: it judges nothing.
 */
export async function readVerdicts(folder) {
  const verdicts = new Map();
  for (const name of (await readdir(folder)).sort()) {
    const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name)?.[1];
    if (scenario === undefined) continue;
    const checks = await readFile(join(folder, name, "checks.json"), "utf8").catch(() => undefined);
    if (checks !== undefined) verdicts.set(scenario, verdictOf(JSON.parse(checks)));
  }
  return verdicts;
}

function verdictOf(list) {
  const checks = new Map();
  const seen = new Map();
  const errors = [];
  for (const { id, name, status, errorMessage } of list) {
    if (status === "INFO") continue;
    const check = `${id} (${name})`;
    const nth = (seen.get(check) ?? 0) + 1;
    seen.set(check, nth);
    const key = nth === 1 ? check : `${check} #${nth}`;
    checks.set(key, status);
    if (status !== "SUCCESS") errors.push(`${status} ${key}: ${errorMessage ?? "no reason given"}`);
  }
  return { checks, errors, outcome: outcomeOf([...checks.values()]) };
}

/** `none` where nothing succeeded and nothing failed: a scenario that judged nothing has not passed. */
function outcomeOf(statuses) {
  for (const [status, outcome] of [
    ["FAILURE", "fail"],
    ["WARNING", "warn"],
    ["SUCCESS", "pass"],
  ]) {
    if (statuses.includes(status)) return outcome;
  }
  return "none";
}

/**
 * Where two verdicts on one scenario part: a line for each check.
 * A missing verdict differs from everything, from another missing one too.
 */
export function differences(expected, actual) {
  if (expected === undefined || actual === undefined) return ["a verdict is missing"];
  const lines = [];
  for (const check of new Set([...expected.checks.keys(), ...actual.checks.keys()])) {
    const [before, after] = [expected, actual].map((verdict) => verdict.checks.get(check) ?? "not judged");
    if (before !== after) lines.push(`${check}: ${before} → ${after}`);
  }
  return lines;
}
