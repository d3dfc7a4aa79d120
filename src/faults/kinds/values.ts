import type { Shape } from "../../cassette/written/shape.ts";
import type { Tree } from "../../cassette/written/tree.ts";
import type { JsonObject } from "../../protocol/message.ts";

/** Values that faults have in common: how they are read, and their JSON Schemas. */

export const DURATION: JsonObject = { $ref: "#/$defs/duration" };
export const TRUE: JsonObject = { const: true };

/** `true`: a fault that has nothing to say besides its name. */
export function readTrue(name: string) {
  return (tree: Tree, shape: Shape): true => {
    if (tree.kind === "scalar" && tree.value === true) return true;
    throw shape.fault(tree.at, `${name} must be true`, `Write ${name}: true, or leave it out.`);
  };
}

export function isTrue(tree: Tree): boolean {
  return tree.kind === "scalar" && tree.value === true;
}

/** Milliseconds as they are written: `500ms`, `1.5s`. */
export function durationWords(ms: number): string {
  return ms < 1000 ? `${ms}ms` : `${ms / 1000}s`;
}

const UNITS: Readonly<Record<string, number>> = { b: 1, kb: 1024, mb: 1024 * 1024 };
/** In bytes. */
const LARGEST = 256 * 1024 * 1024;

/** `500b`, `64kb`, `10mb`: bytes. */
export function readSize(tree: Tree, shape: Shape): number {
  const text = tree.kind === "scalar" ? String(tree.value) : "";
  const [, digits, unit] = /^([1-9]\d*)(b|kb|mb)$/.exec(text) ?? [];
  const bytes = Number(digits) * (UNITS[unit ?? ""] ?? Number.NaN);
  if (bytes <= LARGEST) return bytes;
  throw shape.fault(tree.at, "a size must be such as 64kb or 10mb", "256mb at most.");
}

export const SIZE: JsonObject = { type: "string", pattern: "^[1-9][0-9]*(b|kb|mb)$" };
