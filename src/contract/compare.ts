import type { Change } from "./change.ts";
import { type Both, compareList } from "./compare-lists.ts";
import { compareMember, comparePrompt } from "./compare-member.ts";
import { compareServers } from "./compare-server.ts";
import { compareTool } from "./compare-tool.ts";
import { type Contract, LIST_NAMES, type Revisions } from "./contract.ts";

/**
 * What a server promises now against what it promised before: every change by its rule, in the contract's order.
 * Waits, because what decides on schemas is loaded only where some differ.
 */
export async function compareContracts(before: Contract, after: Contract): Promise<Change[]> {
  const changes = compareServers(before, after);
  for (const list of LIST_NAMES) {
    const compared = compareList(list, before, after);
    changes.push(...compared.changes);
    for (const both of compared.both) changes.push(...compareBoth(both, after.revisions));
  }
  return changes;
}

function compareBoth(both: Both, revisions: Revisions): Change[] {
  const changes = compareMember(both);
  if (both.list === "tools") changes.push(...compareTool(both, revisions));
  if (both.list === "prompts") changes.push(...comparePrompt(both));
  return changes;
}
