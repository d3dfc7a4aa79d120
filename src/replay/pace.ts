import { VcrError } from "../errors.ts";

/** How fast a recording is served; without one it comes as fast as it can. */
export interface Pace {
  /** So many times as fast as recorded. */
  readonly factor: number;
  /** The longest pause, in milliseconds. */
  readonly max: number;
}

type Cap = `,max=${number}${"ms" | "s" | "m"}`;

/** `recorded,max=5s` as it is written. */
export type PaceText = "instant" | `${"recorded" | `${number}x`}${"" | Cap}`;

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };

/**
 * Reads `instant`, `recorded` or a factor (`2x` is twice as fast), the latter two with or without the longest pause
 * there may be: `recorded,max=5s`. `instant` is undefined.
 * @throws VcrError `usage`
 */
export function parsePace(text: string): Pace | undefined {
  if (text === "instant") return undefined;
  const match = /^(?:recorded|(\d+(?:\.\d+)?)x)(?:,max=(\d+(?:\.\d+)?)(ms|s|m))?$/.exec(text);
  const [, factor = "1", max = "Infinity", unit = "ms"] = match ?? [];
  const pace: Pace = { factor: Number(factor), max: Number(max) * (UNIT_MS[unit] as number) };
  if (match && pace.factor > 0 && pace.max > 0) return pace;
  throw new VcrError("usage", `--pace ${text}: not a pace`, {
    hint: "Give instant, recorded, or a factor such as 2x (twice as fast) or 0.5x (half as fast); after recorded or a factor the longest pause may follow, as in recorded,max=5s (ms, s or m).",
  });
}

/** Milliseconds that a recorded pause lasts at a pace. */
export function paused({ factor, max }: Pace, recorded: number): number {
  return Math.min(max, Math.max(0, recorded) / factor);
}
