/** Time as the program sees it, so that tests hand in their own. */
export interface Clock {
  /** Milliseconds since the Unix epoch, whole. */
  now(): number;
}
