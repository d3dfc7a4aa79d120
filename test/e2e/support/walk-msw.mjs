/**
 * Walks the everyday server where msw stands before it, in this process: first at its URL, to be recorded, then at
 * another one, replayed. `walk-msw.mjs PROJECT JSON`, where PROJECT is a folder whose node_modules have msw and mcp-vcr, and
 * the JSON holds `cassette`, `urls` and `walk` for the client. Prints a JSON list of what each walk saw, or why it failed.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { walk as play } from "../../fixtures/clients/walk/play.mjs";

const [project, json] = process.argv.slice(2);
const { cassette, urls, walk } = JSON.parse(json);
const { useCassette, mcpHandlers, setupServer } = await import(pathToFileURL(join(project, "installed.mjs")));

async function walkAt(url) {
  const tape = await useCassette(cassette, { server: url, mode: "once" });
  const server = setupServer(...mcpHandlers(url, tape));
  server.listen({ onUnhandledRequest: "error" });
  const lines = await play({ url, ...walk });
  server.close();
  await tape.close();
  tape.check();
  return lines;
}

const seen = [];
for (const url of urls) seen.push(await walkAt(url));
process.stdout.write(JSON.stringify(seen), () => process.exit(0));
