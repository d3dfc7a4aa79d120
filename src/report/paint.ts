import type { ChangeClass } from "../contract/change.ts";

/** Select Graphic Rendition: on and off (https://www.ecma-international.org/publications-and-standards/standards/ecma-48/). */
const STYLES = {
  bold: [1, 22],
  dim: [2, 22],
  inverse: [7, 27],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

export type Style = keyof typeof STYLES;

export type Paint = (style: Style, text: string) => string;

export const plain: Paint = (_, text) => text;

export const coloured: Paint = (style, text) => {
  const [on, off] = STYLES[style];
  return text === "" ? "" : `\u001B[${on}m${text}\u001B[${off}m`;
};

export const CLASS_STYLE: Readonly<Record<ChangeClass, Style>> = {
  breaking: "red",
  risky: "yellow",
  compatible: "green",
  info: "cyan",
};

/** What a terminal would act upon rather than show: control characters, and marks that turn the reading direction. */
const UNSHOWABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

export function showable(text: string): string {
  return text
    .replace(UNSHOWABLE, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .replaceAll("\t", "  ");
}

/** The same on one line: whoever begins a line may give a command to who reads it. */
export function showableLine(text: string): string {
  return showable(text.replace(/\s*[\n\u2028\u2029]\s*/g, " ⏎ "));
}

/**
 * Text that gives no command to a GitHub runner, which looks for `::` behind blanks at the beginning of each line, and
 * for `##[` anywhere (https://github.com/actions/runner, ActionCommand).
 */
export function withoutCommands(text: string): string {
  return text.replace(/^((?:\s|\u001B\[\d+m)*):(?=:)/gm, "$1\\u003a").replaceAll("##[", "#\\u0023[");
}

/** Text in lines of at most `width` characters, broken at spaces where there are any. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
    while (line.length > width) {
      lines.push(line.slice(0, width));
      line = line.slice(width);
    }
  }
  return [...lines, line];
}
