import { canonicalJson } from "../protocol/canonical.ts";
import { pointerOf } from "../protocol/json-diff.ts";
import { memberAt } from "../protocol/member.ts";
import type { JsonObject, JsonValue } from "../protocol/message.ts";
import { type Era, eraOf } from "../protocol/revisions.ts";
import type { Change } from "./change.ts";
import { type Contract, isObject, type Revisions, type ServerFacts } from "./contract.ts";
import { changeOf, type RuleId } from "./rules.ts";

/** How the server opens and what it says of itself. */
export function compareServers(before: Contract, after: Contract): Change[] {
  return [
    ...compareRevisions(before.revisions, after.revisions),
    ...compareFacts(before.server, after.server),
  ];
}

function compareRevisions(before: Revisions, after: Revisions): Change[] {
  const changes: Change[] = [];
  const say = (rule: RuleId, version: string, found: { message: string; class?: "risky" | "breaking" }) =>
    changes.push(changeOf(rule, { subject: version, pointer: "/revisions", ...found }));
  for (const era of ["legacy", "modern"] as const) {
    if (spokenIn(before, era).length > 0 && isRefused(after, era)) {
      say("era-dropped", era, { message: `The server no longer opens in the ${era} era (${OPENER[era]}).` });
    }
    if (isRefused(before, era) && spokenIn(after, era).length > 0) {
      say("era-added", era, { message: `The server now opens in the ${era} era too (${OPENER[era]}).` });
    }
  }
  for (const version of before.spoken) {
    const era = eraOf(version);
    if (!lacks(after, version) || (era && isRefused(after, era))) continue;
    const left = before.spoken.some((other) => eraOf(other) === era && after.spoken.includes(other));
    // What a legacy server speaks besides is never told, but with what it answers instead most clients go on.
    const instead = era === "legacy" ? spokenIn(after, era) : [];
    const rest = left
      ? ", others still are"
      : instead.length > 0
        ? `; ${instead.join(", ")} is answered instead`
        : "";
    const message = `Revision ${version} is no longer spoken${rest}.`;
    say("revision-dropped", version, { message, class: rest === "" ? "breaking" : "risky" });
  }
  for (const version of after.spoken) {
    const era = eraOf(version);
    if (!lacks(before, version) || (era && isRefused(before, era))) continue;
    say("revision-added", version, { message: `Revision ${version} is spoken now.` });
  }
  return changes;
}

const OPENER: Readonly<Record<Era, string>> = { legacy: "initialize", modern: "server/discover" };

function spokenIn({ spoken }: Revisions, era: Era): readonly string[] {
  return spoken.filter((version) => eraOf(version) === era);
}

function isRefused({ refusedEras }: Revisions, era: Era): boolean {
  return refusedEras.includes(era);
}

/** Known not to be spoken, which is more than not seen to be. */
function lacks(side: Revisions, version: string): boolean {
  const { spoken, refused, complete } = side;
  if (spoken.includes(version)) return false;
  const era = eraOf(version);
  return (
    refused.includes(version) ||
    (era !== undefined && complete.includes(era)) ||
    (era === "legacy" && answersOlder(side, version))
  );
}

/**
 * Whether it was asked for a later revision, and answered with earlier ones alone: what a server cannot speak it answers
 * with the latest that it can (2025-11-25 basic/lifecycle, version negotiation).
 */
function answersOlder(side: Revisions, version: string): boolean {
  const told = spokenIn(side, "legacy");
  const later = side.refused.some((asked) => eraOf(asked) === "legacy" && asked > version);
  return later && told.length > 0 && told.every((each) => each < version);
}

function compareFacts(before: ServerFacts | undefined, after: ServerFacts | undefined): Change[] {
  if (!before && !after) return [];
  if (!before || !after) {
    const side = before ? "new" : "old";
    const message = `The ${side} side was never asked what it offers, so capabilities and instructions were not compared.`;
    return [changeOf("server-unknown", { subject: "server", pointer: "", message })];
  }
  return [
    ...compareCapabilities(before.capabilities, after.capabilities),
    ...compareExtensions(before.capabilities, after.capabilities),
    ...compareTexts(before, after),
  ];
}

function compareTexts(before: ServerFacts, after: ServerFacts): Change[] {
  const changes: Change[] = [];
  if (before.instructions !== after.instructions) {
    const message = `The server's instructions ${verb(before.instructions, after.instructions)}.`;
    changes.push(
      changeOf("instructions-changed", {
        subject: "instructions",
        pointer: "/instructions",
        message,
        before: before.instructions,
        after: after.instructions,
      }),
    );
  }
  if (!sameJson(before.serverInfo, after.serverInfo)) {
    const message = `The server calls itself ${nameOf(after.serverInfo)}; it was ${nameOf(before.serverInfo)}.`;
    changes.push(
      changeOf("server-info-changed", {
        subject: "server",
        pointer: "/serverInfo",
        message,
        before: before.serverInfo,
        after: after.serverInfo,
      }),
    );
  }
  return changes;
}

/** What became of an optional value. */
export function verb(before: unknown, after: unknown): string {
  if (before === undefined) return "were added";
  return after === undefined ? "were removed" : "changed";
}

function nameOf(info: JsonObject | undefined): string {
  if (!info) return "nothing";
  return [info.name, info.version].filter((part) => typeof part === "string").join(" ") || "something else";
}

/** Equal as JSON; two that are absent are equal. */
export function sameJson(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return canonicalJson(a) === canonicalJson(b);
}

function compareCapabilities(before: JsonObject, after: JsonObject): Change[] {
  const names = namesOf(before, after).filter((name) => name !== "extensions");
  return names.flatMap((name): Change[] => {
    const [old, now] = [on(memberAt(before, name)), on(memberAt(after, name))];
    const at = { subject: `capability ${name}`, pointer: pointerOf(["capabilities", name]) };
    if (old !== undefined && now !== undefined) return compareOptions(old, now, ["capabilities", name]);
    if (old === undefined && now === undefined) return [];
    const gone = now === undefined;
    const message = gone ? `The capability ${name} is gone.` : `The capability ${name} is offered now.`;
    const rule = gone ? "capability-removed" : "capability-added";
    return [changeOf(rule, { ...at, message, before: old, after: now })];
  });
}

/** `false` and `null` offer no more than nothing at all. */
function on(value: JsonValue | undefined): JsonValue | undefined {
  return value === false || value === null ? undefined : value;
}

function compareOptions(before: JsonValue, after: JsonValue, path: readonly string[]): Change[] {
  const [a, b] = [isObject(before) ? before : {}, isObject(after) ? after : {}];
  return namesOf(a, b).flatMap((name): Change[] => {
    const [old, now] = [on(memberAt(a, name)), on(memberAt(b, name))];
    const here = [...path, name];
    if (old !== undefined && now !== undefined) return compareOptions(old, now, here);
    if (old === undefined && now === undefined) return [];
    const option = here.slice(1).join(".");
    const at = { subject: `capability ${option}`, pointer: pointerOf(here), before: old, after: now };
    return now === undefined
      ? [changeOf("capability-option-removed", { ...at, message: `The capability ${option} is gone.` })]
      : [changeOf("capability-option-added", { ...at, message: `The capability ${option} is offered now.` })];
  });
}

function compareExtensions(before: JsonObject, after: JsonObject): Change[] {
  const [a, b] = [memberAt(before, "extensions"), memberAt(after, "extensions")];
  return namesOf(a, b).flatMap((name): Change[] => {
    const [old, now] = [memberAt(a, name), memberAt(b, name)];
    const pointer = pointerOf(["capabilities", "extensions", name]);
    const at = { subject: `extension ${name}`, pointer, before: old, after: now };
    if (now === undefined)
      return [changeOf("extension-removed", { ...at, message: `The extension ${name} is gone.` })];
    if (old === undefined)
      return [changeOf("extension-added", { ...at, message: `The extension ${name} is offered now.` })];
    if (sameJson(old, now)) return [];
    const message = `The extension ${name} is offered with other settings.`;
    return [changeOf("extension-settings-changed", { ...at, message })];
  });
}

/** Member names of both, sorted. */
export function namesOf(a: JsonValue | undefined, b: JsonValue | undefined): string[] {
  return [...new Set([a, b].flatMap((each) => (isObject(each) ? Object.keys(each) : [])))].sort();
}
