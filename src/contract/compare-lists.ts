import { LISTS, type ListName } from "../drive/pages.ts";
import { pointerOf } from "../protocol/json-diff.ts";
import type { Change } from "./change.ts";
import type { Contract, Listed, Member } from "./contract.ts";
import { MEMBERS } from "./contract.ts";
import { ADDED, REMOVED } from "./list-news.ts";
import { changeOf } from "./rules.ts";
import { renamesOf } from "./similar.ts";

/** A member that both sides list. */
export interface Both {
  readonly list: ListName;
  readonly name: string;
  readonly before: Member;
  readonly after: Member;
}

export interface ListComparison {
  readonly changes: readonly Change[];
  readonly both: readonly Both[];
}

/** What came to a list and what went from it, and the members to be compared further. */
export function compareList(list: ListName, old: Contract, now: Contract): ListComparison {
  const [before, after] = [old.lists[list], now.lists[list]];
  if (before.state === "unknown" || after.state === "unknown") {
    const told = before.state === after.state ? [] : [unknownList(list, before)];
    return { changes: told, both: [] };
  }
  const gone = [...before.members].filter(([name]) => !after.members.has(name));
  const come = [...after.members].filter(([name]) => !before.members.has(name));
  const both = [...before.members].flatMap(([name, member]): Both[] => {
    const other = after.members.get(name);
    return other ? [{ list, name, before: member, after: other }] : [];
  });
  const renames = renamesOf(gone, come);
  const changes = [
    ...(after.state === "complete"
      ? gone.map(([name, { value }]) => removed({ list, name, value, renames }))
      : []),
    ...(before.state === "complete"
      ? come.map(([name, { value }]) => added({ list, name, value, renames }))
      : []),
    ...partial(list, { before, after, gone: gone.length, come: come.length }),
    ...repeats(list, before, after),
    ...compareDelivery(list, before, after),
  ];
  return { changes, both };
}

function unknownList(list: ListName, before: Listed): Change {
  const side = before.state === "unknown" ? "old" : "new";
  const { method } = LISTS[list];
  return changeOf("list-unknown", {
    subject: method,
    pointer: pointerOf([MEMBERS[list].root]),
    message: `The ${side} side never answered ${method}, so its ${MEMBERS[list].noun}s are unknown and were not compared.`,
  });
}

interface Single {
  readonly list: ListName;
  readonly name: string;
  readonly value: Member["value"];
  readonly renames: ReadonlyMap<string, string>;
}

function removed({ list, name, value, renames }: Single): Change {
  const { noun, root } = MEMBERS[list];
  const heir = renames.get(name);
  const hint = heir === undefined ? "" : ` It may have been renamed to ${heir}, which is much alike.`;
  return changeOf(REMOVED[list], {
    subject: `${noun} ${name}`,
    pointer: pointerOf([root, name]),
    message: `The ${noun} ${name} is gone.${hint}`,
    before: value,
  });
}

function added({ list, name, value, renames }: Single): Change {
  const { noun, root } = MEMBERS[list];
  const [origin] = [...renames].find(([, heir]) => heir === name) ?? [];
  const hint = origin === undefined ? "" : ` It may be ${origin} under a new name.`;
  return changeOf(ADDED[list], {
    subject: `${noun} ${name}`,
    pointer: pointerOf([root, name]),
    message: `The ${noun} ${name} is new.${hint}`,
    after: value,
  });
}

interface Missing {
  readonly before: Listed;
  readonly after: Listed;
  readonly gone: number;
  readonly come: number;
}

function partial(list: ListName, { before, after, gone, come }: Missing): Change[] {
  const { noun, root } = MEMBERS[list];
  const { method } = LISTS[list];
  const say = (side: string, count: number, verb: string) =>
    changeOf("list-partial", {
      subject: method,
      pointer: pointerOf([root]),
      message: `Not all pages of ${method} were asked for on the ${side} side; ${count} ${noun}${count === 1 ? "" : "s"} that it does not show may stand there, and ${count === 1 ? "is" : "are"} not called ${verb}.`,
    });
  return [
    ...(after.state === "partial" && gone > 0 ? [say("new", gone, "removed")] : []),
    ...(before.state === "partial" && come > 0 ? [say("old", come, "added")] : []),
  ];
}

/** What is listed more than once, and was not. */
function repeats(list: ListName, before: Listed, after: Listed): Change[] {
  const { noun, root } = MEMBERS[list];
  const come = (after.repeated ?? []).filter((name) => !before.repeated?.includes(name));
  return come.map((name) =>
    changeOf("list-duplicate", {
      subject: `${noun} ${name}`,
      pointer: pointerOf([root, name]),
      message: `The ${noun} ${name} is listed more than once; the last was compared.`,
    }),
  );
}

/** How a list comes: in which order, in how many pieces, and who may keep it. */
function compareDelivery(list: ListName, before: Listed, after: Listed): Change[] {
  const { method } = LISTS[list];
  const at = { subject: method, pointer: pointerOf([MEMBERS[list].root]) };
  const changes: Change[] = [];
  if (isReordered(before, after)) {
    changes.push(changeOf("list-order-changed", { ...at, message: `${method} comes in another order.` }));
  }
  if (after.endless && !before.endless) {
    const message = `${method} has no end: a \`nextCursor\` leads on after every page.`;
    changes.push(changeOf("list-endless", { ...at, message }));
  } else if (
    before.pages === 1 &&
    before.state === "complete" &&
    (after.pages > 1 || after.state === "partial")
  ) {
    const message = `${method} came as a whole and comes in pages now.`;
    changes.push(changeOf("pagination-introduced", { ...at, message }));
  }
  const [old, now] = [before.cacheScope, after.cacheScope];
  if (old !== now && old !== undefined && now !== undefined) {
    const rule = now === "public" ? "cache-scope-widened" : "cache-scope-narrowed";
    const message = `${method} has the cache scope ${now}; it was ${old}.`;
    changes.push(changeOf(rule, { ...at, message, before: old, after: now }));
  }
  return changes;
}

function isReordered(before: Listed, after: Listed): boolean {
  const kept = [...before.members.keys()].filter((name) => after.members.has(name));
  const now = [...after.members.keys()].filter((name) => before.members.has(name));
  return kept.some((name, index) => name !== now[index]);
}
