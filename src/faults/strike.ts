import type { PlacedDeed } from "./plan.ts";

/** A fault that is to strike a request. */
export interface Strike {
  readonly deed: PlacedDeed;
  readonly afterEvents: number;
  /** Notes it in the report. */
  struck(): void;
  /** Draws by chance; the same in every run. */
  draw(nth: number): number;
}
