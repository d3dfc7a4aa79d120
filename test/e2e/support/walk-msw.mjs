/**
 * Walks the everyday server where msw stands before it, in this process: first at its URL, to be recorded, then at
 * another one, replayed. `walk-msw.mjs PROJECT JSON`, where PROJECT is a folder whose node_modules have msw and mcp-vcr, and
 * the JSON holds `cassette`, `urls` and `walk` for the client. Prints a JSON list of what each walk saw, or why it failed.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { SCENES } from "../../fixtures/clients/walk/scenes.mjs";
import { openSession } from "../../fixtures/clients/walk/session.mjs";

const [project, json] = process.argv.slice(2);
const { cassette, urls, walk } = JSON.parse(json);
const { useCassette, mcpHandlers, setupServer } = await import(pathToFileURL(join(project, "installed.mjs")));

async function walkAt(url) {
  const tape = await useCassette(cassette, { server: url, mode: "once" });
  const server = setupServer(...mcpHandlers(url, tape));
  server.listen({ onUnhandledRequest: "error" });
  const session = await openSession({ clientName: "walk", user: "ada", ids: "none", url, ...walk });
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
  return lines.join("");
}

const seen = [];
for (const url of urls) seen.push(await walkAt(url));
process.stdout.write(JSON.stringify(seen), () => process.exit(0));
