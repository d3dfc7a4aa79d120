import { readFileSync } from "node:fs";

export interface CodeBlock {
  readonly language: string;
  readonly text: string;
  /** Of the opening fence, counted from 1. */
  readonly line: number;
}

/** The fenced code blocks of a Markdown file. */
export function codeBlocks(file: string): readonly CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: { language: string; line: number; lines: string[] } | undefined;
  for (const [index, line] of readFileSync(file, "utf8").split("\n").entries()) {
    const fence = /^```(\w*)$/.exec(line);
    if (!fence) open?.lines.push(line);
    else if (open) {
      blocks.push({ language: open.language, line: open.line, text: open.lines.join("\n") });
      open = undefined;
    } else open = { language: fence[1] ?? "", line: index + 1, lines: [] };
  }
  return blocks;
}
