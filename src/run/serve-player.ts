import type { Player } from "../replay/player.ts";
import { summaryOf, turnedAwayNotice } from "../replay/summary.ts";
import type { AnswerStyle } from "../transport/http-streams.ts";
import { ownStdin } from "../transport/own-stdin.ts";
import { paint, tellWaiting, warn } from "./notices.ts";
import type { ReportFile } from "./report-file.ts";
import { serveStdio } from "./serve-stdio.ts";

export interface Doorway {
  /** Serve over HTTP at this address; over stdio when undefined. */
  readonly listen: { readonly host: string; readonly port: number } | undefined;
  /** How HTTP answers are given that stand alone. */
  readonly answers: AnswerStyle;
  /** Resolves when serving is to end. */
  readonly asked: Promise<void>;
}

/** Serves until the client's side ends (stdio) or it is to end (both). Resolves to an exit code, if there is a reason for one. */
export async function servePlayer(
  player: Player,
  { listen, answers, asked }: Doorway,
): Promise<number | undefined> {
  if (!listen) {
    const stdin = ownStdin();
    tellWaiting(stdin);
    return (await serveStdio({ stdin, stdout: process.stdout }, player, asked)).exit;
  }
  const { startHttpServer } = await import("../transport/http-server.ts");
  const { HttpDoors } = await import("../transport/http-doors.ts");
  const { randomUUID } = await import("node:crypto");
  player.recording.readAll();
  let onServerDied: ((exit: number) => void) | undefined;
  const died = new Promise<number>((resolve) => {
    onServerDied = resolve;
  });
  const open = (own: string) =>
    new HttpDoors(player, { ownHosts: [own], newSessionId: randomUUID, answers, onServerDied });
  const door = await startHttpServer(listen, open);
  process.stdout.write(`${JSON.stringify({ url: door.url })}\n`);
  const exit = await Promise.race([died, asked.then(() => undefined)]);
  // A server that died ends nothing gracefully.
  if (exit !== undefined) door.disconnect();
  await door.close();
  return exit;
}

/** Writes the report, and what asks for attention in a line. */
export function conclude(
  player: Player,
  { file, report }: { readonly file: string | undefined; readonly report: ReportFile | undefined },
): void {
  report?.write(() => player.report(), player.tally.probed);
  const summary = summaryOf(player.tally, player.recording, paint);
  const turnedAway = turnedAwayNotice(player.tally);
  if (turnedAway !== undefined) warn(turnedAway);
  if (summary !== undefined) warn(`${summary}\n  ${file ?? "--report FILE"} lists them`);
}
