import { nearestWord } from "../cassette/fault.ts";
import type { Player } from "../replay/player.ts";

/** Tells of matching rules that are for nothing that was recorded, which most likely are misspelt. */
export function tellIdleRules({ loosely, options }: Player, tell: (notice: string) => void): void {
  const idle = loosely?.idle();
  for (const rule of idle?.rules ?? []) {
    const nearest = nearestWord(rule, idle?.recorded ?? []);
    const meant = nearest === undefined ? "" : `; did you mean ${JSON.stringify(nearest)}?`;
    const where = options.rules ? `${options.rules.origin}: ` : "";
    tell(`${where}match[${JSON.stringify(rule)}] is for nothing that ${options.cassette} holds${meant}`);
  }
}
