import { button, byId, duration, element, size } from "./elements.js";
import { marked } from "./marked.js";
import { prettyJson } from "./pretty.js";
import { partnerOf, rows } from "./session.js";

/** Longer JSON is shown in one colour, in characters. */
const LONGEST_COLOURED = 200_000;

const panel = byId("details");

/** The panel that shows one message in full. */
export class Details {
  #onGo;
  #onClose;
  #onSize;

  /** @param {{ onGo: (index: number) => void, onClose: () => void, onSize: () => void }} told */
  constructor({ onGo, onClose, onSize }) {
    this.#onGo = onGo;
    this.#onClose = onClose;
    this.#onSize = onSize;
  }

  get isOpen() {
    return !panel.hidden;
  }

  close() {
    panel.replaceChildren();
    this.#setOpen(false);
  }

  focus() {
    panel.focus();
  }

  /** @param {number} index */
  show(index) {
    const row = rows[index];
    const bar = element("div", "bar", element("h2", `${row.from} ${row.kind}`, row.label));
    const close = button("✕", () => this.#onClose());
    close.setAttribute("aria-label", "Close");
    bar.append(close);
    panel.replaceChildren(bar, factsOf(row), this.#acts(index, row), ...bodyOf(row));
    if (!this.isOpen) this.#setOpen(true);
    panel.scrollTop = 0;
  }

  #setOpen(open) {
    panel.hidden = !open;
    document.documentElement.classList.toggle("open", open);
    this.#onSize();
  }

  #acts(index, { answers, body }) {
    const acts = element("div", "acts");
    const partner = partnerOf(index);
    if (partner !== undefined) {
      acts.append(
        button(answers === undefined ? "To its answer (a)" : "To its request (a)", () => this.#onGo(partner)),
      );
    }
    if (body) {
      const copy = button("Copy", async () => {
        copy.textContent = await copied(body);
      });
      acts.append(copy);
    }
    return acts;
  }
}

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return "Copied";
  } catch {
    return "The browser does not allow it";
  }
}

function factsOf(row) {
  const list = element("dl", "facts");
  const { form, whole, body } = row;
  const told = {
    time: row.at < 1000 ? duration(row.at) : `${duration(row.at)} (${row.at} ms)`,
    from: row.from,
    session: String(row.session),
    id: row.id,
    took: row.ms === undefined ? undefined : `${row.ms} ms`,
    place: `entry ${row.entry}${row.item === undefined ? "" : `, ${row.item} of its batch`}, line ${row.line}`,
    size:
      body === undefined ? undefined : `${size(row.bytes)}${form === "message" ? "" : `, kept as ${form}`}`,
    shown: whole === undefined ? undefined : `the first ${body.length} of ${whole} characters`,
    "on stream": row.on === undefined ? undefined : typeof row.on === "object" ? row.on.id : String(row.on),
    ...Object.fromEntries(
      Object.entries(row.http ?? {}).map(([name, value]) => [`http ${name}`, textOf(value)]),
    ),
    ...Object.fromEntries(
      Object.entries(row.event ?? {}).map(([name, value]) => [`event ${name}`, textOf(value)]),
    ),
    ...Object.fromEntries(
      Object.entries(row.closed ?? {}).map(([name, value]) => [`closed ${name}`, textOf(value)]),
    ),
  };
  for (const [name, value] of Object.entries(told)) {
    if (value === undefined) continue;
    list.append(element("dt", "", name), element("dd", name === "shown" ? "cut" : "", value));
  }
  return list;
}

function textOf(value) {
  if (typeof value !== "object") return String(value);
  return Object.entries(value)
    .map(([name, each]) => `${name}: ${each}`)
    .join("\n");
}

function bodyOf({ body, form, whole }) {
  if (body === undefined) return [];
  const isJson = (form === "message" || form === "json") && whole === undefined;
  if (!isJson) return [element("pre", "", ...marked(body))];
  const pieces = prettyJson(body);
  if (body.length > LONGEST_COLOURED) return [element("pre", "", pieces.map(([, text]) => text).join(""))];
  return [
    element(
      "pre",
      "",
      ...pieces.map(([kind, text]) => (kind === "" ? text : element("span", kind, ...marked(text)))),
    ),
  ];
}
