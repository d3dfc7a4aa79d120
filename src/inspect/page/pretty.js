const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * JSON text, indented, as pieces of text with their kinds. Every token stays as it was sent: numbers keep their
 * spelling, and what JavaScript cannot hold is shown all the same.
 * @param {string} json
 * @returns {Array<[kind: "" | "key" | "string" | "number", text: string]>}
 */
export function prettyJson(json) {
  const tokens = json.match(TOKEN) ?? [];
  const pieces = [];
  let depth = 0;
  const line = () => pieces.push(["", `\n${"  ".repeat(depth)}`]);
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    const next = tokens[at + 1];
    if (token === "{" || token === "[") {
      if (next === "}" || next === "]") {
        pieces.push(["", token + next]);
        at++;
        continue;
      }
      pieces.push(["", token]);
      depth++;
      line();
    } else if (token === "}" || token === "]") {
      depth--;
      line();
      pieces.push(["", token]);
    } else if (token === ",") {
      pieces.push(["", ","]);
      line();
    } else if (token === ":") pieces.push(["", ": "]);
    else pieces.push([token.startsWith('"') ? (next === ":" ? "key" : "string") : "number", token]);
  }
  return pieces;
}
