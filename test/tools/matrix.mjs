/**
 * Serves a cassette of each era by every door to every client, and prints whether each saw what it sees of the real
 * server: `right`, `impossible` with the reason, or `wrong`. Exit code 1 when a cell is wrong. Needs a build.
 *
 *   node test/tools/matrix.mjs [--json] [--scenes A,B] [--cassettes A;B]
 *
 * `--scenes` and `--cassettes` choose some by name; see walk/scenes.mjs and matrix/parties.mjs.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { meet, recordCassette, Served, scenesFor, seenDirectly } from "./matrix/meeting.mjs";
import { CASSETTES, CLIENTS, DOORS, impossibility } from "./matrix/parties.mjs";

const { values: options } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    scenes: { type: "string" },
    cassettes: { type: "string" },
  },
});

function chosenCassettes(folder) {
  const names = options.cassettes?.split(";").map((name) => name.trim());
  const chosen = CASSETTES.filter(({ name }) => names === undefined || names.includes(name));
  if (chosen.length < (names?.length ?? 1)) {
    throw new Error(`--cassettes takes ${CASSETTES.map(({ name }) => name).join("; ")}`);
  }
  return chosen.map((cassette) => ({ ...cassette, file: join(folder, cassette.file) }));
}

async function* cells(folder) {
  const asked = options.scenes?.split(",").map((name) => name.trim());
  const cassettes = chosenCassettes(folder);
  for (const cassette of cassettes) await recordCassette(cassette, scenesFor(cassette.era, asked));
  const direct = new Map();
  for (const client of CLIENTS) {
    if (DOORS.every((door) => impossibility({ client, door }))) continue;
    direct.set(client, await seenDirectly(client, scenesFor(client.era, asked)));
  }
  for (const cassette of cassettes) {
    const served = new Served(cassette);
    for (const client of CLIENTS) {
      for (const door of DOORS) {
        const reason = impossibility({ client, door });
        const outcome =
          reason === undefined
            ? await meet({ cassette, client, door, served }, direct.get(client))
            : { verdict: "impossible", reason };
        yield { cassette: cassette.name, client: client.name, door: door.name, ...outcome };
      }
    }
    await served.stop();
  }
}

/** A row for each cassette and client, a column for each door; reasons stand below. */
function table(all) {
  const reasons = [...new Set(all.flatMap(({ reason }) => reason ?? []))];
  const mark = ({ verdict, reason }) => (reason ? `${verdict} [${reasons.indexOf(reason) + 1}]` : verdict);
  const rows = [["cassette", "client", ...DOORS.map(({ name }) => name)]];
  for (const cassette of new Set(all.map((cell) => cell.cassette))) {
    for (const { name } of CLIENTS) {
      const row = all.filter((cell) => cell.cassette === cassette && cell.client === name);
      rows.push([cassette, name, ...row.map(mark)]);
    }
  }
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join("  ")
      .trimEnd(),
  );
  return [...lines, "", ...reasons.map((reason, index) => `[${index + 1}] ${reason}`), ""].join("\n");
}

const folder = await mkdtemp(join(tmpdir(), "mcp-vcr-matrix-"));
try {
  const all = [];
  for await (const cell of cells(folder)) all.push(cell);
  process.stdout.write(options.json ? `${JSON.stringify(all)}\n` : table(all));
  process.exitCode = all.some(({ verdict }) => verdict === "wrong") ? 1 : 0;
} finally {
  await rm(folder, { recursive: true, force: true });
}
