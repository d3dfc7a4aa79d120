import { nearestWord } from "../../cassette/fault.ts";
import { LISTS, type ListName } from "../../drive/pages.ts";
import { VcrError } from "../../errors.ts";
import type { JsonObject } from "../../protocol/message.ts";
import { isObject } from "../matcher.ts";
import { LIST_NAMES } from "./effects.ts";
import type { Part, ScenarioParts, Without } from "./parts.ts";

/**
 * One scenario of two: what `own` says counts, member by member of each tool, resource, template and prompt; what it
 * does not say is the base's.
 */
export function extended(base: ScenarioParts, own: ScenarioParts): ScenarioParts {
  const list = (name: ListName) => mergedList(base.lists[name], own.lists[name]);
  const replaced = new Set(own.methods.map(({ method }) => method));
  return {
    lists: {
      tools: list("tools"),
      resources: list("resources"),
      templates: list("templates"),
      prompts: list("prompts"),
    },
    methods: [...base.methods.filter(({ method }) => !replaced.has(method)), ...own.methods],
    timeline: [...base.timeline, ...own.timeline],
    faults: [...base.faults, ...own.faults],
    pageSize: own.pageSize ?? base.pageSize,
    pages: Object.fromEntries(LIST_NAMES.map((name) => [name, { ...base.pages[name], ...own.pages[name] }])),
    state: { ...base.state, ...own.state },
    capabilities: mergedObjects(base.capabilities, own.capabilities),
    settings: { ...base.settings, ...own.settings },
  };
}

function mergedList(base: readonly Part[], own: readonly Part[]): readonly Part[] {
  const byKey = new Map(own.map((part) => [part.key, part]));
  const kept = base.map((part) => {
    const over = byKey.get(part.key);
    byKey.delete(part.key);
    return over ? mergedPart(part, over) : part;
  });
  return [...kept, ...byKey.values()];
}

function mergedPart(base: Part, own: Part): Part {
  return {
    key: own.key,
    place: own.place,
    placeOf: (member, inner) => (own.says(member) ? own : base).placeOf(member, inner),
    says: (member) => own.says(member) || base.says(member),
    overridden: own.place,
    listed: { ...base.listed, ...own.listed },
    hidden: own.hidden ?? base.hidden,
    unlisted: own.unlisted ?? base.unlisted,
    validate: own.validate ?? base.validate,
    replies: own.replies ?? base.replies,
    complete:
      base.complete || own.complete
        ? new Map([...(base.complete ?? []), ...(own.complete ?? [])])
        : undefined,
  };
}

/** Objects are laid over one another; null takes away. */
export function mergedObjects(base: JsonObject, own: JsonObject): JsonObject {
  const merged = { ...base };
  for (const [key, value] of Object.entries(own)) {
    const before = merged[key];
    merged[key] = isObject(before) && isObject(value) ? mergedObjects(before, value) : value;
  }
  return merged;
}

/** @throws VcrError `scenario-invalid` for a name that the base does not have */
export function leftOut(parts: ScenarioParts, without: readonly Without[]): ScenarioParts {
  for (const { list, key, place } of without) {
    const keys = parts.lists[list].map((part) => part.key);
    if (keys.includes(key)) continue;
    const meant = nearestWord(key, keys);
    const hint = meant === undefined ? "" : ` (did you mean ${meant}?)`;
    throw new VcrError(
      "scenario-invalid",
      `without: there is no ${LISTS[list].item} ${JSON.stringify(key)}${hint}`,
      {
        place,
        hint: "It must be one of the file that this one extends.",
      },
    );
  }
  const kept = (name: ListName) =>
    parts.lists[name].filter(({ key }) => !without.some((each) => each.list === name && each.key === key));
  return {
    ...parts,
    lists: {
      tools: kept("tools"),
      resources: kept("resources"),
      templates: kept("templates"),
      prompts: kept("prompts"),
    },
  };
}
