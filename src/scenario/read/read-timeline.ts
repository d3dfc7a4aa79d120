import type { Members } from "../../cassette/written/shape.ts";
import type { Tree } from "../../cassette/written/tree.ts";
import { senderOf } from "../../protocol/methods.ts";
import { REVISIONS } from "../../protocol/revisions.ts";
import type { TimedEvent, Trigger } from "../model.ts";
import { EFFECT_KEYS, readEffect } from "./effects.ts";
import { whereabouts } from "./places.ts";
import type { Reading } from "./reading.ts";

const TRIGGERS = ["at", "every", "after"] as const;

/** What happens by itself: at a time, or after so many requests. */
export function readTimeline(tree: Tree | undefined, reading: Reading): readonly TimedEvent[] {
  if (!tree) return [];
  return reading.shape.list(tree, "timeline").map((item) => readEvent(item, reading));
}

function readEvent(tree: Tree, reading: Reading): TimedEvent {
  const { shape } = reading;
  const members = shape.members(tree, { what: "an event", allowed: [...TRIGGERS, ...EFFECT_KEYS] });
  const triggers = TRIGGERS.filter((key) => members.has(key));
  const [trigger] = triggers;
  if (trigger === undefined || triggers.length > 1) {
    throw shape.fault(tree.at, `an event has one of ${TRIGGERS.join(", ")}, which says when it happens`);
  }
  const effects = EFFECT_KEYS.filter((key) => members.has(key));
  if (effects.length === 0) {
    throw shape.fault(tree.at, "an event must do something", `Add one of ${EFFECT_KEYS.join(", ")}.`);
  }
  return {
    place: shape.place(tree.at),
    where: whereabouts(tree, shape),
    trigger: readTrigger(trigger, members, reading),
    effects: effects.map((key) => {
      const value = members.get(key) as Tree;
      return readEffect({ key, at: value.at, value }, reading);
    }),
  };
}

function readTrigger(kind: (typeof TRIGGERS)[number], all: Members, { shape }: Reading): Trigger {
  const tree = all.get(kind) as Tree;
  if (kind !== "after") {
    const ms = shape.duration(tree, kind);
    if (kind === "every" && ms === 0) throw shape.fault(tree.at, "every: must be longer than nothing");
    return { kind, ms };
  }
  const allowed = ["method", "name", "times"];
  const members = shape.members(tree, { what: "after", allowed, required: ["method"] });
  const place = members.get("method") as Tree;
  const method = shape.text(place, "method");
  if (!REVISIONS.some(({ version }) => ["client", "both"].includes(senderOf(method, version) ?? ""))) {
    const known = ["tools/call", "tools/list", "prompts/get", "resources/read"];
    throw shape.fault(place.at, `${method} is no method of a client`, `For instance ${known.join(", ")}.`);
  }
  const name = members.get("name");
  const times = members.get("times");
  return {
    kind: "after",
    method,
    name: name && shape.text(name, "name"),
    times: times ? shape.whole(times, "times", 1) : 1,
  };
}
