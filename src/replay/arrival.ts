/** How a message came in, where that matters: over HTTP. */
export interface Arrival {
  /** What was improper about the HTTP request, as `flawsOf` names it. */
  readonly flaws?: readonly string[] | undefined;
  /** The path it came at, where that is not the recording's first. */
  readonly path?: string | undefined;
  /** The `authorization` header, redacted as the recording is. */
  readonly authorization?: string | undefined;
  /** All headers as they came, for a real server behind. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}
