import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { readCassette } from "./cassette.ts";
import { type Ended, run, type StartOptions, start } from "./program.ts";
import { LISTEN, record, serve } from "./walk.ts";

/** A server to drive: a Node program over stdio, or a URL. */
export type Driven = readonly string[] | { readonly url: string };

export interface DriveRun {
  readonly file: string;
  /** A drive file, or `auto`. */
  readonly drive: string;
  readonly flags?: readonly string[];
}

export function drive(
  { file, drive, flags = [] }: DriveRun,
  server: Driven,
  options?: StartOptions,
): Promise<Ended> {
  return run(record(file, server, "--drive", drive, ...flags), options);
}

/**
 * What a cassette says happened: who said what on which stream and how it ended, without times. The standalone stream
 * is told apart, since it opens and closes when it will, and so is the wording of a refusal by the transport alone.
 */
async function happenings(file: string) {
  const { entries } = await readCassette(file);
  const told = entries.map(({ from, session, on, http, body, closed }) => {
    const refused = (http?.status ?? 200) >= 400 && body?.form === "text";
    const text = refused || body === undefined ? undefined : Buffer.from(body.bytes).toString();
    return {
      from,
      session,
      on,
      method: http?.method,
      closed,
      text,
      status: refused ? "refused" : http?.status,
    };
  });
  const standalone = (entry: (typeof told)[number]) => entry.on === "get" || entry.method === "GET";
  // A reply's 202 and what the reply brings on come on two streams, in any order.
  const accepted = (entry: (typeof told)[number]) => entry.on === "post" && entry.status === 202;
  return {
    requests: told.filter((entry) => !standalone(entry) && !accepted(entry)),
    accepted: told.filter(accepted).length,
    standalone: told.filter(standalone),
  };
}

/** Drives what `serve` makes of a cassette as the cassette's server was driven: the same is said, and nothing is missed. */
export async function driveReplay(of: DriveRun, door: "stdio" | "http"): Promise<Ended> {
  const file = of.file.replace(/(\.\w+)$/, ".again$1");
  const report = `${of.file}.report.json`;
  const flags = ["--strict", "--report", report];
  let ended: Ended;
  if (door === "stdio") ended = await drive({ ...of, file }, serve(of.file, ...flags));
  else {
    const server = start(serve(of.file, ...flags, ...LISTEN));
    ended = await drive({ ...of, file }, { url: await server.url() });
    const replay = await server.stop();
    expect({ code: replay.code, stderr: replay.stderr }).toEqual({ code: 0, stderr: "" });
  }
  const { misses, repeats, differentAnswers, unused } = JSON.parse(readFileSync(report, "utf8"));
  expect({ misses, repeats, differentAnswers }).toEqual({ misses: [], repeats: [], differentAnswers: [] });
  expect(unused.map(({ label }: { label: string }) => label)).toEqual([]);
  expect(await happenings(file)).toEqual(await happenings(of.file));
  return ended;
}
