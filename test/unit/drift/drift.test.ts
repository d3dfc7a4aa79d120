import { expect, test } from "vitest";
import { compareContracts } from "../../../src/contract/compare.ts";
import { type ContractText, contractFrom } from "../../../src/contract/contract-text.ts";
import { driftFrom, isEmpty, isFailing } from "../../../src/drift/drift.ts";

async function driftOf(old: ContractText, now: ContractText) {
  const changes = await compareContracts(contractFrom(old), contractFrom(now));
  const compared = { exchanges: 0, tools: 0 };
  return driftFrom({ old: "a", new: "b", comparisons: [{ old: "a", new: "b", changes, compared }] });
}

const TOOLS: ContractText = { tools: [{ name: "a" }] };
const NONE: ContractText = { tools: [] };

test.each([
  ["a list that lost all that it had", TOOLS, NONE, true],
  ["a list that was empty", NONE, TOOLS, false],
] as const)("%s is compared, though nothing stands in both", async (_, old, now, fails) => {
  const drift = await driftOf(old, now);
  expect({ empty: isEmpty(drift), fails: isFailing(drift, "breaking") }).toEqual({ empty: false, fails });
});

test("a list of which all went and other came is that of another server, and that is no pass", async () => {
  const drift = await driftOf(TOOLS, { tools: [{ name: "completely_other", inputSchema: {} }] });
  expect({ empty: isEmpty(drift), fails: isFailing(drift, "never") }).toEqual({ empty: true, fails: true });
});

test("a list that one side was never asked for is not, and that is no pass", async () => {
  const drift = await driftOf(TOOLS, {});
  expect({ empty: isEmpty(drift), fails: isFailing(drift, "never") }).toEqual({ empty: true, fails: true });
});
