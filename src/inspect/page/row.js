import { element, moment } from "./elements.js";
import { marked } from "./marked.js";
import { hitsIn, laneOf, rows } from "./session.js";

/** So much of a body is shown in its row, in characters. */
const PEEK = 160;
/** And so much before what the search found. */
const BEFORE = 24;

/**
 * The element of a row.
 * @param {number} index @param {number} lanes how many are drawn
 */
export function rowElement(index, lanes) {
  const row = rows[index];
  const classes = ["row", row.from, row.kind];
  if (row.failed) classes.push("failed");
  if (row.item !== undefined) classes.push("item");
  const arrow = element("div", "arrow");
  arrow.style.left = `calc(var(--band) * ${laneOf(row.session, lanes) + 0.2})`;
  const made = element(
    "div",
    classes.join(" "),
    element("span", "time", moment(row.at)),
    element("div", "lane", arrow),
    whatOf(row),
  );
  made.id = `row-${index}`;
  made.setAttribute("role", "option");
  made.setAttribute("aria-posinset", String(index + 1));
  made.setAttribute("aria-setsize", String(rows.length));
  return made;
}

function whatOf(row) {
  const what = element("span", "what", element("span", "label", ...marked(row.label)));
  if (row.ms !== undefined) what.append(element("span", "took", `after ${moment(row.ms)}`));
  if (row.http?.status !== undefined && row.kind !== "http")
    what.append(element("span", "took", `HTTP ${row.http.status}`));
  if (row.body && row.kind !== "batch") what.append(element("span", "peek", ...marked(peekOf(row))));
  return what;
}

/** Of these the label has the name, so that the arguments alone tell them apart. */
const WITH_ARGUMENTS = new Set(["tools/call", "prompts/get"]);

/** What tells messages apart: what the search found further on, else their params, result or error. */
function peekOf({ kind, method, body }) {
  const isCall = kind === "request" && WITH_ARGUMENTS.has(method);
  const given = isCall ? body.search(/"arguments"\s*:/) : -1;
  const member = given >= 0 ? given : body.search(/"(?:params|result|error)"\s*:/);
  const at = member < 0 ? 0 : body.indexOf(":", member) + 1;
  const [hit] = hitsIn(body);
  if (!hit || hit.index + hit[0].length <= at + PEEK) return body.slice(at, at + PEEK);
  const from = Math.max(0, hit.index - BEFORE);
  return `…${body.slice(from, from + PEEK)}`;
}
