/** Cassettes at the URLs of remote servers, in a browser, by msw and its service worker. It needs nothing of Node. */
export { type BrowserCassetteOptions, type CassetteText, useCassette } from "./browser/use-cassette.ts";
export type { InProcessTape } from "./in-process-tape.ts";
export { mcpHandlers, type Standing } from "./msw/handlers.ts";
