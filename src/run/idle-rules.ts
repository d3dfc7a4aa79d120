import { nearestWord } from "../cassette/fault.ts";
import type { Player } from "../replay/player.ts";

/** Tells of matching rules that are for nothing that was recorded, which most likely are misspelt. */
export function tellIdleRules({ loosely, options }: Player, tell: (notice: string) => void): void {
  const idle = loosely?.idle();
  const where = options.rules ? `${options.rules.origin}: ` : "";
  for (const rule of idle?.rules ?? []) {
    const recorded = idle?.recorded ?? [];
    const whole = recorded.find((name) => name.endsWith(` ${rule}`));
    const meant = didYouMean(whole ?? nearestWord(rule, recorded));
    tell(`${where}match[${JSON.stringify(rule)}] is for nothing that ${options.cassette} holds${meant}`);
  }
  for (const { rule, place, meant } of loosely?.idlePlaces() ?? []) {
    const what = `match[${JSON.stringify(rule)}]: nothing that ${options.cassette} holds is at ${place}`;
    tell(`${where}${what}${didYouMean(meant)}`);
  }
}

function didYouMean(meant: string | undefined): string {
  return meant === undefined ? "" : `; did you mean ${JSON.stringify(meant)}?`;
}
