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

/** What a terminal would act upon rather than show. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/**
 * What nobody sees, and a model reads: formats of no width, marks that turn the reading direction, tags, fillers,
 * selectors of variants, halves of pairs. Those that make up an emoji are seen.
 */
const INVISIBLE = new RegExp(
  [
    String.raw`(?<!\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d`,
    String.raw`\u200d(?!\p{Extended_Pictographic})`,
    String.raw`(?<!\p{Extended_Pictographic})\ufe0f(?!\u20e3)`,
    String.raw`(?!\u200d|\ufe0f)(?:\p{Default_Ignorable_Code_Point}|\p{Cs}|[\u2028\u2029\ufff9-\ufffb])`,
  ].join("|"),
  "gu",
);

export function showable(text: string): string {
  return text
    .replace(CONTROLS, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .replace(INVISIBLE, (c) => `\\u{${c.codePointAt(0)?.toString(16)}}`)
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
