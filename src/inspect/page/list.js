import { byId, element } from "./elements.js";
import { rowElement } from "./row.js";
import { laneCount, rows, sessions } from "./session.js";

/** Rows drawn above and below what is seen. */
const SPARE = 12;

const list = byId("list");
const space = byId("rows");
const narrow = matchMedia("(max-width: 760px)");

/** A list that draws only the rows that are seen, however many there are. */
export class List {
  #visible = [];
  #drawn = new Map();
  /** Place of the chosen row among the visible ones, or -1. */
  #chosen = -1;
  #height = 28;
  #lanes = 1;
  #onOpen;

  /** @param {(index: number) => void} onOpen told of a row that is clicked */
  constructor(onOpen) {
    this.#onOpen = onOpen;
    let waiting = false;
    const soon = () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        this.#draw();
      });
    };
    list.addEventListener("scroll", soon, { passive: true });
    new ResizeObserver(soon).observe(list);
    narrow.addEventListener("change", () => this.layOut());
    space.addEventListener("click", ({ target }) => {
      const row = target.closest(".row");
      if (row) this.#onOpen(Number(row.id.slice(4)));
    });
    this.layOut();
  }

  /** Index of the chosen row, if one is. */
  get chosen() {
    return this.#visible[this.#chosen];
  }

  /** Shows these rows, and keeps the chosen one if it is among them. @param {number[]} visible */
  show(visible) {
    const before = this.chosen;
    this.#visible = visible;
    this.#chosen = before === undefined ? -1 : visible.indexOf(before);
    byId("nothing").hidden = visible.length > 0;
    this.#redraw();
    if (this.#chosen >= 0) this.#reveal();
    else list.scrollTop = 0;
  }

  /** @param {number} index @returns {boolean} false where it is not among the visible ones */
  choose(index) {
    const place = this.#visible.indexOf(index);
    if (place >= 0) this.#go(place);
    return place >= 0;
  }

  /** @param {number} step rows down, or up */
  move(step) {
    if (this.#visible.length === 0) return;
    const from = this.#chosen < 0 ? (step > 0 ? -1 : 0) : this.#chosen;
    this.#go(Math.max(0, Math.min(this.#visible.length - 1, from + step)));
  }

  /** Rows that fit. */
  get page() {
    return Math.max(1, Math.floor(list.clientHeight / this.#height) - 1);
  }

  focus() {
    list.focus();
  }

  /** After what else is on the page has changed. */
  layOut() {
    this.#lanes = laneCount(narrow.matches);
    document.documentElement.style.setProperty("--bands", String(this.#lanes));
    const style = getComputedStyle(document.documentElement);
    this.#height = Number.parseFloat(style.getPropertyValue("--row"));
    drawHeads(this.#lanes, Number.parseFloat(style.getPropertyValue("--band")) < WIDE_BAND);
    this.#redraw();
  }

  #go(place) {
    const before = this.#visible[this.#chosen];
    this.#chosen = place;
    this.#reveal();
    this.#draw();
    for (const index of [before, this.chosen]) this.#mark(index);
    list.setAttribute("aria-activedescendant", `row-${this.chosen}`);
  }

  #mark(index) {
    this.#drawn.get(index)?.setAttribute("aria-selected", String(index === this.chosen));
  }

  #reveal() {
    const top = this.#chosen * this.#height;
    if (top < list.scrollTop) list.scrollTop = top;
    else if (top + this.#height > list.scrollTop + list.clientHeight)
      list.scrollTop = top + this.#height - list.clientHeight;
  }

  #redraw() {
    this.#drawn.clear();
    space.replaceChildren();
    space.style.height = `${this.#visible.length * this.#height}px`;
    this.#draw();
  }

  #draw() {
    const first = Math.max(0, Math.floor(list.scrollTop / this.#height) - SPARE);
    const last = Math.min(
      this.#visible.length,
      Math.ceil((list.scrollTop + list.clientHeight) / this.#height) + SPARE,
    );
    const wanted = new Map();
    for (let place = first; place < last; place++) wanted.set(this.#visible[place], place);
    for (const [index, row] of this.#drawn) {
      if (wanted.has(index)) continue;
      row.remove();
      this.#drawn.delete(index);
    }
    for (const [index, place] of wanted) {
      if (this.#drawn.has(index)) continue;
      const row = rowElement(index, this.#lanes);
      row.style.top = `${place * this.#height}px`;
      this.#drawn.set(index, row);
      this.#mark(index);
      space.append(row);
    }
  }
}

/** Narrower lanes have letters for heads, in pixels. */
const WIDE_BAND = 110;

function drawHeads(lanes, short) {
  const bands = element("div", "bands");
  for (let lane = 0; lane < lanes; lane++) {
    const more = lane === lanes - 1 && sessions.length > lanes ? "+" : "";
    bands.append(bandOf(sessions.length > 1 ? `${sessions[lane]}${more}` : "", short));
  }
  byId("lanes").replaceChildren(element("span"), bands, element("span", "", `${rows.length} in order`));
}

function bandOf(which, short) {
  const heads = short ? ["C", which, "S"] : [`client ${which}`, "", `server ${which}`];
  const spans = heads.map((head) => element("span", "", head));
  for (const [place, span] of spans.entries()) span.style.left = `${20 + 30 * place}%`;
  return element("div", "band", ...spans);
}
