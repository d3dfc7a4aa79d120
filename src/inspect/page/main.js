import { drawCounts } from "./counts.js";
import { Details } from "./details.js";
import { byId, duration, element, size } from "./elements.js";
import { List } from "./list.js";
import { findRows, partnerOf, rows, session, sessions } from "./session.js";

const search = byId("search");
const method = byId("method");
const choice = byId("session-choice");
const help = byId("help");

const details = new Details({ onGo: go, onClose: closeDetails, onSize: () => list.layOut() });
const list = new List((index) => {
  list.choose(index);
  details.show(index);
});

function find() {
  const found = findRows({ text: search.value, method: method.value, session: choice.value });
  list.show(found);
  if (details.isOpen && list.chosen !== undefined) details.show(list.chosen);
  byId("found").textContent = found.length === rows.length ? "" : `${found.length} of ${rows.length}`;
}

/** Goes to a row, out of the filter if need be. @param {number} index */
function go(index) {
  if (!list.choose(index)) {
    clearFilter();
    list.choose(index);
  }
  if (details.isOpen) details.show(index);
}

function clearFilter() {
  search.value = "";
  method.value = "";
  choice.value = "";
  find();
}

function closeDetails() {
  details.close();
  list.focus();
}

function move(step) {
  list.move(step);
  if (details.isOpen && list.chosen !== undefined) details.show(list.chosen);
}

function open() {
  if (list.chosen === undefined) list.move(1);
  if (list.chosen === undefined) return;
  details.show(list.chosen);
  details.focus();
}

function toggleTheme() {
  const { dataset } = document.documentElement;
  const dark = dataset.theme ? dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  dataset.theme = dark ? "light" : "dark";
}

function leaveSearch() {
  list.focus();
  move(list.chosen === undefined ? 1 : 0);
}

function goBack() {
  if (details.isOpen) closeDetails();
  else clearFilter();
  list.focus();
}

const KEYS = {
  ArrowDown: () => move(1),
  ArrowUp: () => move(-1),
  j: () => move(1),
  k: () => move(-1),
  PageDown: () => move(list.page),
  PageUp: () => move(-list.page),
  Home: () => move(-rows.length),
  End: () => move(rows.length),
  Enter: open,
  a: () => {
    const partner = list.chosen === undefined ? undefined : partnerOf(list.chosen);
    if (partner !== undefined) go(partner);
  },
  "/": () => {
    search.focus();
    search.select();
  },
  Escape: goBack,
  t: toggleTheme,
  "?": () => help.showModal(),
};

/** Keys that mean something in a search box; there all others do what they do. */
const IN_SEARCH = {
  Escape: goBack,
  ArrowDown: leaveSearch,
  Enter: leaveSearch,
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
  const { target } = event;
  const table = target === search ? IN_SEARCH : KEYS;
  if (target !== search && target.matches("select, button, summary") && /^(Enter|Arrow.*)$/.test(event.key))
    return;
  // The message is read with the keys that scroll.
  if (target === byId("details") && /^(Arrow|Page|Home|End)/.test(event.key)) return;
  if (!Object.hasOwn(table, event.key)) return;
  event.preventDefault();
  table[event.key]();
});

let waiting;
search.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(find, rows.length > 2000 ? 120 : 0);
});
method.addEventListener("change", find);
choice.addEventListener("change", find);
byId("theme").addEventListener("click", toggleTheme);
byId("ask").addEventListener("click", () => help.showModal());

function option(value, label) {
  const made = element("option", "", label);
  made.value = value;
  return made;
}

function drawHead() {
  const { cassette, entries, revisions, duration: whole, bytes, header } = session;
  byId("name").textContent = cassette.split(/[\\/]/).at(-1);
  document.title = `${cassette} – mcp-vcr`;
  const { source } = header;
  const said = source.transport === "stdio" ? source.command.join(" ") : source.url;
  const facts = [
    `${entries} ${entries === 1 ? "entry" : "entries"}`,
    duration(whole),
    size(bytes),
    revisions.join(", "),
    said,
  ];
  if (rows.length < session.rows) facts.unshift(`${rows.length} of ${session.rows} rows`);
  if (sessions.length > 1) facts.splice(1, 0, `${sessions.length} sessions`);
  byId("summary").textContent = facts.filter((fact) => fact !== "").join(" · ");
  byId("summary").title = `recorded ${header.recorded} by ${header.recorder}`;
  const methods = [...new Set(rows.map((row) => row.method).filter((each) => each !== undefined))].sort();
  method.append(option("", "every method"), ...methods.map((each) => option(each, each)));
  choice.append(
    option("", "every session"),
    ...sessions.map((each) => option(String(each), `session ${each}`)),
  );
  choice.hidden = sessions.length < 2;
}

drawHead();
drawCounts({
  onMethod: (each) => {
    method.value = each;
    find();
  },
  onTool: (tool) => {
    method.value = "tools/call";
    search.value = tool;
    find();
  },
});
find();
list.move(1);
list.focus();
