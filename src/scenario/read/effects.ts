import type { Member, Tree } from "../../cassette/written/tree.ts";
import { LISTS, type ListName } from "../../drive/pages.ts";
import { senderOf } from "../../protocol/methods.ts";
import { REVISIONS } from "../../protocol/revisions.ts";
import type { Effect, Names } from "../model.ts";
import { type Reading, templatedObject, templatedText } from "./reading.ts";

export const LIST_NAMES = Object.keys(LISTS) as ListName[];

const READERS: Readonly<Record<string, (tree: Tree, reading: Reading) => Effect>> = {
  show: (tree, reading) => ({ kind: "show", shown: true, names: readNames(tree, "show", reading) }),
  hide: (tree, reading) => ({ kind: "show", shown: false, names: readNames(tree, "hide", reading) }),
  update: (tree, reading) => ({
    kind: "update",
    uris: (tree.kind === "list" ? tree.items : [tree]).map((item) => templatedText(item, "update", reading)),
  }),
  notify: (tree, reading) => readNotification(tree, reading),
  set: (tree, reading) => ({ kind: "set", state: templatedObject(tree, "set", reading) }),
};

/** What a reply's step or an event of the timeline can do to the server. */
export const EFFECT_KEYS = Object.keys(READERS);

export function readEffect({ key, value }: Member, reading: Reading): Effect {
  return (READERS[key] as (typeof READERS)[string])(value, reading);
}

/** Items of the lists, by name. */
function readNames(tree: Tree, what: string, { shape }: Reading): Names {
  const members = shape.members(tree, { what, allowed: LIST_NAMES });
  if (members.size === 0) throw shape.fault(tree.at, `${what}: names nothing`);
  return Object.fromEntries(
    [...members].map(([key, value]) => [key, shape.list(value, key).map((item) => shape.text(item, key))]),
  );
}

function readNotification(tree: Tree, reading: Reading): Effect {
  const { shape } = reading;
  const members = shape.members(tree, {
    what: "notify",
    allowed: ["method", "params"],
    required: ["method"],
  });
  const place = members.get("method") as Tree;
  const method = shape.text(place, "method");
  const known = REVISIONS.some(({ version }) => senderOf(method, version) !== undefined);
  const sent = REVISIONS.some(({ version }) => ["server", "both"].includes(senderOf(method, version) ?? ""));
  if (known && !sent) throw shape.fault(place.at, `${method} is the client's to send, not the server's`);
  const params = members.get("params");
  return { kind: "notify", method, params: params && templatedObject(params, "params", reading) };
}
