import type { Message } from "../protocol/message.ts";
import { inOtherEra, type Question } from "./key.ts";
import type { Recording } from "./recording.ts";

/** Recorded in the other era of the protocol alone: a modern request of a legacy recording, or the other way round. */
export function isOfOtherEra({ era, key }: Question, { method }: Message, recording: Recording): boolean {
  const other = era === "modern" ? "legacy" : "modern";
  if (recording.answersTo(inOtherEra(key, era))) return true;
  const shows = era === "modern" || method === "initialize";
  return shows && recording.speaks(other) && !recording.speaks(era);
}
