/**
 * Makes the recordings in cassettes/ anew, of the real servers, with the built command:
 *
 *   npm run build && node test/tools/record-cassettes.mjs [NAME…]
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { CASSETTES, ENV, FILES, prepareFiles } from "../fixtures/cassettes.mjs";

const CLI = "dist/cli.cjs";
const CLIENT = "test/fixtures/clients/ask.mjs";

function ask(name, ...how) {
  const env = { ...process.env, ...ENV };
  const { status } = spawnSync("node", [CLIENT, name, ...how], {
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw new Error(`${name}: the client ended with exit code ${status}`);
}

async function recordHttp({ name, command: [program, ...args], http }, file) {
  const server = spawn(program, args, {
    env: { ...process.env, PORT: String(http.port) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  await once(server.stderr, "data");
  const url = `http://127.0.0.1:${http.port}${http.path}`;
  const recorder = spawn("node", [CLI, "record", "-o", file, "--mode", "all", "--url", url], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(createInterface(recorder.stdout), "line");
  ask(name, "--url", JSON.parse(line).url);
  recorder.kill("SIGTERM");
  await once(recorder, "exit");
  server.kill("SIGTERM");
  await once(server, "exit");
}

const wanted = process.argv.slice(2);
for (const cassette of CASSETTES) {
  if (wanted.length > 0 && !wanted.includes(cassette.name)) continue;
  prepareFiles();
  const file = `cassettes/${cassette.name}`;
  // A client that probes starts the command twice, and the second recording goes on after the first.
  if (!cassette.http) rmSync(file, { force: true });
  if (cassette.http) await recordHttp(cassette, file);
  else ask(cassette.name, "--", "node", CLI, "record", "-o", file, "--", ...cassette.command);
  console.log(file);
}
rmSync(FILES, { recursive: true, force: true });
