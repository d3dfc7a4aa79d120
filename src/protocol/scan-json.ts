/** Half-open range of bytes. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What one pass over JSON text tells. */
export interface JsonScan {
  /** Exactly one JSON value (RFC 8259) in valid UTF-8, white space around it allowed. */
  readonly valid: boolean;
  readonly root: "object" | "array" | "string" | "number" | "literal" | "none";
  /** Values of the root object's members that JSON-RPC knows; of duplicates the last, as JSON.parse has it. */
  readonly members: Readonly<Partial<Record<RootMember, Span>>>;
  /** Elements of a root array. */
  readonly items: readonly Span[];
  /** JavaScript's JSON.parse and JSON.stringify would change it: see `Body` in exchange/entry.ts. */
  readonly harmed: boolean;
}

export type RootMember = "jsonrpc" | "id" | "method" | "params" | "result" | "error";

export declare function scanJson(bytes: Uint8Array): JsonScan;
/** Place of the value at a path of object keys (or array indexes), or undefined. For duplicates the last. */
export declare function findSpan(bytes: Uint8Array, path: readonly (string | number)[], within?: Span): Span | undefined;
