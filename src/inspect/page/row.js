import { duration, element } from "./elements.js";
import { laneOf, rows } from "./session.js";

/** So much of a body is shown in its row, in characters. */
const PEEK = 160;

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
    element("span", "time", duration(row.at)),
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
  const what = element("span", "what", element("span", "label", row.label));
  if (row.ms !== undefined) what.append(element("span", "took", `after ${duration(row.ms)}`));
  if (row.http?.status !== undefined && row.kind !== "http")
    what.append(element("span", "took", `HTTP ${row.http.status}`));
  if (row.body && row.kind !== "batch") what.append(element("span", "peek", peekOf(row.body)));
  return what;
}

/** What tells messages apart: their params, result or error. */
function peekOf(body) {
  const at = body.search(/"(?:params|result|error)"\s*:/);
  return at < 0 ? body.slice(0, PEEK) : body.slice(body.indexOf(":", at) + 1, at + PEEK);
}
