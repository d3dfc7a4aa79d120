/** A length of time: `500ms`, `2s`, `1m`. */
export type Duration = `${number}${"ms" | "s" | "m"}`;
