import { element } from "./elements.js";
import { hitsIn } from "./session.js";

/**
 * A text with what the search found in it marked.
 * @param {string} text
 * @returns {(string | Node)[]}
 */
export function marked(text) {
  const pieces = [];
  let at = 0;
  for (const { 0: hit, index } of hitsIn(text)) {
    pieces.push(text.slice(at, index), element("mark", "", hit));
    at = index + hit.length;
  }
  return [...pieces, text.slice(at)];
}
