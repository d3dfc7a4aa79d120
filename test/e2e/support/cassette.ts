import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Entry, Header } from "../../../src/exchange/entry.ts";
import { CassetteSource } from "../../../src/run/cassette-source.ts";
import { entriesOf } from "../../cases/entries-of.ts";

/** A folder that goes away with the test. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "mcp-vcr-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface Cassette {
  readonly header: Header;
  readonly entries: readonly Entry[];
  /** What the reader says of an entry that was cut off. */
  readonly truncated: readonly string[];
}

export async function readCassette(file: string): Promise<Cassette> {
  const truncated: string[] = [];
  const source = await CassetteSource.open(file, (message) => truncated.push(message));
  return { header: source.header, entries: entriesOf(source), truncated };
}

/** The exact bytes one side sent, one string for each entry with a body (latin1, so that any byte survives). */
export function bodiesOf(entries: readonly Entry[], from: Entry["from"]): string[] {
  return entries
    .filter((entry) => entry.from === from && entry.body !== undefined)
    .map((entry) => Buffer.from(entry.body?.bytes ?? []).toString("latin1"));
}
