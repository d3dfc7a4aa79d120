import type { ChangeClass } from "../contract/change.ts";
import { showable } from "./paint.ts";

export const SIGN: Readonly<Record<ChangeClass, string>> = {
  breaking: "❌",
  risky: "⚠️",
  compatible: "✅",
  info: "ℹ️",
};

/** A fence longer than any in the text. */
export function fenced(language: string, text: string): string[] {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return [`${fence}${language}`, showable(text), fence, ""];
}

/** Inline code, in a table too (https://github.github.com/gfm/#code-spans). */
export function code(text: string): string {
  const line = showable(text.replace(/\s*\n\s*/g, " ")).replaceAll("|", "\\|");
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const ticks = "`".repeat(longest + 1);
  return longest === 0 ? `${ticks}${line}${ticks}` : `${ticks} ${line} ${ticks}`;
}

/** A sentence in which nothing is markup, mentions nobody and ends no table cell. */
export function prose(text: string): string {
  return html(text)
    .replace(/[\\`*_[\]~|]/g, "\\$&")
    .replace(/@(?=\w)/g, "@\u2060")
    .replace(/\s*\n\s*/g, " ");
}

export function html(text: string): string {
  return showable(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
