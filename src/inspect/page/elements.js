/**
 * Makes an element. Text becomes text: nothing of a session is ever read as HTML.
 * @param {string} tag
 * @param {string} [name] its class
 * @param {...(string | Node)} children
 * @returns {HTMLElement}
 */
export function element(tag, name, ...children) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  made.append(...children);
  return made;
}

/** @param {string} id */
export const byId = (id) => document.getElementById(id);

/** @param {string} label @param {() => void} act */
export function button(label, act) {
  const made = element("button", "", label);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}

/** Milliseconds as people read them. @param {number} ms */
export function duration(ms) {
  if (ms < 1000) return `${ms} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** A time to the millisecond, in a narrow column. @param {number} ms */
export function moment(ms) {
  if (ms < 1000) return `${ms} ms`;
  const seconds = (ms % 60_000) / 1000;
  if (ms < 60_000) return `${seconds.toFixed(3)} s`;
  return `${Math.floor(ms / 60_000)}:${seconds.toFixed(3).padStart(6, "0")}`;
}

/** @param {number} bytes */
export function size(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
