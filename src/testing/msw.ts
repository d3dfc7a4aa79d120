/** Tapes at the URLs of remote servers, by msw (2.x or 3.x). */
export { mcpHandlers, type Standing } from "./msw/handlers.ts";
