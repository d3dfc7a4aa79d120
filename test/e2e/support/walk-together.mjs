/**
 * Several clients at once in one process, each with a session of its own: they all connect first, then walk, their
 * scenes interleaved. Prints a JSON list with the lines of each. `walk-together.mjs URL CLIENTS`, where CLIENTS is a
 * JSON list of `{ sdk, era, clientName?, user?, order?, ids?, skip? }` as the flags of walk.mjs; `skip` is a list.
 */
import { SCENES } from "../../fixtures/clients/walk/scenes.mjs";
import { openSession } from "../../fixtures/clients/walk/session.mjs";

const [url, clients] = process.argv.slice(2);
const DEFAULTS = { transport: "http", clientName: "walk", user: "ada", ids: "none", skip: [] };

/** The scenes in an order that only the seed decides. */
function ordered(names, seed) {
  if (seed === undefined) return names;
  let state = seed + 1;
  const rank = new Map(
    names.map((name) => {
      state = Math.imul(state, 48271) % 2147483647;
      return [name, state];
    }),
  );
  return [...names].sort((one, other) => rank.get(one) - rank.get(other));
}

async function walk(session, { era, order, skip }) {
  const all = Object.keys(SCENES).filter((name) => (SCENES[name].era ?? era) === era);
  const scenes = all.filter((name) => !skip.includes(name));
  const output = new Map();
  for (const name of ordered(scenes, order)) {
    session.lines = [];
    await (SCENES[name].play ?? SCENES[name])(session);
    output.set(name, session.lines);
  }
  await session.close();
  return [...scenes].sort().flatMap((name) => output.get(name).map((text) => `${name}: ${text}\n`));
}

const options = JSON.parse(clients).map((client) => ({ ...DEFAULTS, ...client, url }));
const sessions = await Promise.all(options.map(openSession));
const walks = await Promise.all(sessions.map((session, index) => walk(session, options[index])));
process.stdout.write(JSON.stringify(walks.map((lines) => lines.join(""))), () => process.exit(0));
