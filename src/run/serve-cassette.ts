import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { VcrError } from "../errors.ts";
import { Player } from "../replay/player.ts";
import { Recording } from "../replay/recording.ts";
import { CassetteSource } from "./cassette-source.ts";
import { warn } from "./notices.ts";
import { redactionOf } from "./redaction.ts";
import { serveStdio } from "./serve-stdio.ts";
import { untilAskedToEnd } from "./signals.ts";

export interface ServeOptions {
  readonly file: string;
  /** Serve over HTTP at this address; over stdio when undefined. */
  readonly listen: { readonly host: string; readonly port: number } | undefined;
  readonly strict: boolean;
  /** Where the report goes. */
  readonly report: string | undefined;
}

/**
 * Serves a cassette until the client's side ends (stdio) or the process is asked to (both). Resolves to the exit code.
 * @throws VcrError when the cassette cannot be read, or the address not be listened at
 */
export async function serveCassette(options: ServeOptions): Promise<number> {
  if (options.report !== undefined && resolve(options.report) === resolve(options.file)) {
    throw new VcrError(
      "usage",
      `--report ${options.report} is the cassette itself, which it would overwrite`,
      {
        hint: "Give the report a file of its own, such as --report report.json.",
      },
    );
  }
  const recording = new Recording(await CassetteSource.open(options.file, warn), warn);
  const player = new Player(recording, {
    cassette: options.file,
    strict: options.strict,
    redact: redactionOf(recording.header),
    onNotice: warn,
    onMiss: (_miss, explanation) => warn(explanation),
  });
  const ended = options.listen ? serveHttp(player, options.listen) : serveOwnStdio(player);
  const exit = await ended;
  if (options.report !== undefined) writeReport(options.report, player);
  return player.failed ? 1 : (exit ?? 0);
}

async function serveOwnStdio(player: Player): Promise<number | undefined> {
  const { exit } = await serveStdio(process, player, untilAskedToEnd());
  return exit;
}

async function serveHttp(player: Player, listen: { host: string; port: number }): Promise<undefined> {
  const { startHttpDoor } = await import("../transport/http-server.ts");
  player.recording.readAll();
  const door = await startHttpDoor(player, listen);
  // Whoever reads the URL may ask us to end at once.
  const asked = untilAskedToEnd();
  process.stdout.write(`${JSON.stringify({ url: door.url })}\n`);
  await asked;
  await door.close();
}

function writeReport(file: string, player: Player): void {
  const text = `${JSON.stringify(player.report(), null, 2)}\n`;
  try {
    writeFileSync(file, text);
  } catch (cause) {
    throw new VcrError("usage", `--report ${file}: ${(cause as Error).message}`, { cause });
  }
}
