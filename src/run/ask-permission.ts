import type { AskPermission } from "../drive/again/permits.ts";
import { askLine, canAsk } from "./ask-line.ts";

/** Asks on the terminal, tool by tool; undefined where there is none. */
export function askOnTerminal(): AskPermission | undefined {
  if (!canAsk()) return undefined;
  let all: boolean | undefined;
  return async (tool) => {
    if (all !== undefined) return all;
    const question = `the recording calls ${JSON.stringify(tool)}, which may change things. Call it? [y]es, [N]o, [a]ll, n[o]ne:`;
    const answer = ((await askLine(question)) ?? "none").toLowerCase();
    if (answer === "a" || answer === "all") all = true;
    if (answer === "o" || answer === "none") all = false;
    return all ?? (answer === "y" || answer === "yes");
  };
}
