import { byId } from "./elements.js";

/** The session that the page holds. */
export const session = JSON.parse(byId("session").textContent);

/** Rows in order; `answeredBy` is added to requests. */
export const rows = session.timeline;

for (const [index, { answers }] of rows.entries())
  if (answers !== undefined) rows[answers].answeredBy = index;

/** The other half of an exchange. @param {number} index */
export function partnerOf(index) {
  const { answers, answeredBy } = rows[index];
  return answers ?? answeredBy;
}

/** Recorded sessions, in order of appearance. */
export const sessions = [...new Set(rows.map((row) => row.session))];

/** Sessions with lanes of their own; those after them share the last. */
export function laneCount(narrow) {
  return Math.min(sessions.length, narrow ? 2 : 4);
}

/** Which lane a session is drawn in. @param {number} number @param {number} lanes */
export function laneOf(number, lanes) {
  return Math.min(sessions.indexOf(number), lanes - 1);
}

/** What is searched for; undefined where nothing is. */
let needle;

/** What of a text the search finds. @param {string} text */
export function hitsIn(text) {
  return needle ? [...text.matchAll(needle)] : [];
}

/**
 * Indexes of the rows that a search finds.
 * @param {{ text: string, method: string, session: string }} wanted empty ones let all through
 */
export function findRows({ text, method, session: wantedSession }) {
  needle = text === "" ? undefined : new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "giu");
  const finds = (where) => where.search(needle) >= 0;
  const found = [];
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index];
    if (method !== "" && row.method !== method) continue;
    if (wantedSession !== "" && row.session !== Number(wantedSession)) continue;
    if (needle && !finds(row.label) && !finds(row.body ?? "")) continue;
    found.push(index);
  }
  return found;
}
