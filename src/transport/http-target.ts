import type { IncomingMessage } from "node:http";

/** What a request asks for, as a URL has it. */
export interface Target {
  readonly pathname: string;
  readonly search: string;
}

/** Targets remembered at once: a client asks at one or two. */
const MOST_KNOWN = 256;

/** Reads what requests ask for; of what was asked for lately, it is known. */
export class Targets {
  readonly #known = new Map<string, Target>();

  /**
   * The target of a request (https://www.rfc-editor.org/rfc/rfc9112#section-3.2), in origin or absolute form. Undefined
   * where it names no resource: no path, a host that is none, a path that URLs would make another one of.
   */
  of({ url = "", headers: { host } }: IncomingMessage): Target | undefined {
    const key = `${host} ${url}`;
    const known = this.#known.get(key);
    if (known) return known;
    const target = parsed(url, host);
    if (!target) return undefined;
    if (this.#known.size === MOST_KNOWN) this.#known.clear();
    this.#known.set(key, target);
    return target;
  }
}

/** One that stays a host within a URL, if perhaps another one: that it is not ours is the door's to say. */
const PLAIN_HOST = /^[a-z\d._-]+(?::\d+)?$/;

function parsed(url: string, host: string | undefined): Target | undefined {
  const isAbsolute = /^https?:\/\//.test(url);
  if (!isAbsolute && (!host || !url.startsWith("/"))) return undefined;
  const [path = ""] = url.split("?");
  const whole = isAbsolute ? url : `http://${host}${url}`;
  if (path.includes("\\") || !URL.canParse(whole)) return undefined;
  const { hostname, pathname, search } = new URL(whole);
  if (!isAbsolute && !PLAIN_HOST.test(host ?? "") && hostname !== host?.replace(/:\d+$/, "").toLowerCase())
    return undefined;
  return { pathname, search };
}
