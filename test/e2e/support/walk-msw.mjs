/**
 * Walks the everyday server at a URL where msw stands before it, in this process: `walk-msw.mjs PROJECT JSON`, where
 * PROJECT is a folder whose node_modules have msw and mcp-vcr, and the JSON holds `cassette`, `url`, `mode`, and
 * `walk` for the client. Prints what the walk saw, or why it failed.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { SCENES } from "../../fixtures/clients/walk/scenes.mjs";
import { openSession } from "../../fixtures/clients/walk/session.mjs";

const [project, json] = process.argv.slice(2);
const { cassette, url, mode, walk } = JSON.parse(json);
const { useCassette, mcpHandlers, setupServer } = await import(pathToFileURL(join(project, "installed.mjs")));

const tape = await useCassette(cassette, { server: url, mode });
const server = setupServer(...mcpHandlers(url, tape));
server.listen({ onUnhandledRequest: "error" });
const session = await openSession({
  clientName: "walk",
  user: "ada",
  ids: "none",
  url,
  ...walk,
});
const lines = [];
for (const name of Object.keys(SCENES).sort()) {
  if ((SCENES[name].era ?? walk.era) !== walk.era) continue;
  session.lines = [];
  try {
    await (SCENES[name].play ?? SCENES[name])(session);
  } catch (cause) {
    throw new Error(`in the scene "${name}", after:\n  ${session.lines.join("\n  ")}`, { cause });
  }
  lines.push(...session.lines.map((text) => `${name}: ${text}\n`));
}
await session.close();
server.close();
await tape.close();
tape.check();
process.stdout.write(lines.join(""), () => process.exit(0));
