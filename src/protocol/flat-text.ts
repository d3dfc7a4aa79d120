/**
 * The same text in one piece. V8 keeps what was put together from many as a tree of them, several times as large, until
 * somebody looks into it; being the key of a map is no look. For texts that are kept.
 */
export function flatText(text: string): string {
  text.charCodeAt(0);
  return text;
}
