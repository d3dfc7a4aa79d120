import { differences } from "./verdicts.mjs";

/**
 * Prints a suite's verdicts, a scenario a line, and what differs from the first way, which is mostly the direct run.
 * `results` maps a way to `{ verdicts, seconds }`; `asked` names scenarios that must be there.
 * True when every scenario has a verdict every way, passed the first, and nothing differs.
 */
export function printTable(suite, results, asked = []) {
  const ways = [...results.keys()];
  const judged = ways.flatMap((way) => [...results.get(way).verdicts.keys()]);
  const scenarios = [...new Set([...asked, ...judged])];
  const width = Math.max(8, ...scenarios.map((scenario) => scenario.length));
  const row = (name, cells) =>
    console.log([name.padEnd(width), ...cells.map((c) => c.padEnd(12))].join("  "));

  console.log(`\n${suite}`);
  row("scenario", ways);
  let wrong = 0;
  for (const scenario of scenarios) {
    const verdicts = ways.map((way) => results.get(way).verdicts.get(scenario));
    row(scenario, verdicts.map(cellOf));
    const lines = complaintsAbout(ways, verdicts);
    for (const line of lines) console.log(`  ${line}`);
    if (lines.length > 0) wrong++;
  }
  row(
    "seconds",
    ways.map((way) => results.get(way).seconds.toFixed(1)),
  );
  const count = `${scenarios.length} scenarios, ${wrong} with a difference or a failure.`;
  console.log(scenarios.length === 0 ? "No scenario was run: that proves nothing." : count);
  return scenarios.length > 0 && wrong === 0;
}

/** `pass 4` or `fail 1/4`: how many of the checks succeeded. */
function cellOf(verdict) {
  if (verdict === undefined) return "missing";
  const statuses = [...verdict.checks.values()];
  const good = statuses.filter((status) => status === "SUCCESS").length;
  return `${verdict.outcome} ${good === statuses.length ? good : `${good}/${statuses.length}`}`;
}

function complaintsAbout(ways, [first, ...others]) {
  const lines =
    first?.outcome === "pass"
      ? []
      : [`${ways[0]}: ${first?.outcome ?? "no verdict"}`, ...(first?.errors ?? [])];
  for (const [at, verdict] of others.entries()) {
    const found = differences(first, verdict);
    lines.push(...found.map((line) => `${ways[at + 1]}: ${line}`));
    if (found.length > 0 && verdict) lines.push(...verdict.errors.map((error) => `  ${error}`));
  }
  return lines;
}
