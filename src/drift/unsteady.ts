import type { Change } from "../contract/change.ts";
import { type Contract, LIST_NAMES, type Listed, MEMBERS } from "../contract/contract.ts";
import { LISTS, type ListName } from "../drive/pages.ts";
import { pointerOf } from "../protocol/json-diff.ts";
import { driftOf } from "./rules.ts";

/**
 * Of a list that was asked for several times the last answer is compared; here is what the earlier ones tell. A list that
 * comes and goes in the same way on both sides is no change.
 */
export function compareSteadiness(old: Contract, fresh: Contract): Change[] {
  return LIST_NAMES.flatMap((list) => unsteady(list, old.lists[list], fresh.lists[list]));
}

function unsteady(list: ListName, before: Listed, after: Listed): Change[] {
  const [was, is] = [before.states ?? [], after.states ?? []];
  if (is.length < 2 || was.length === 0) return [];
  const [first, now] = [was[0] ?? [], is[0] ?? []];
  const lacking = first.filter((name) => !now.includes(name));
  if (was.length > 1 && lacking.length === 0) return [];
  const { noun, root } = MEMBERS[list];
  const without = lacking.length === 0 ? "" : `, at first without the ${noun} ${lacking.join(", ")}`;
  const message = `${LISTS[list].method} was answered in ${is.length} ways within the new recording${without}.`;
  return [driftOf("list-unsteady", { subject: LISTS[list].method, pointer: pointerOf([root]), message })];
}

/** What contradicts itself on either side. */
export function contractNotes(old: Contract, fresh: Contract): string[] {
  return [
    ...old.notes.map((note) => `in the old recording, ${note}`),
    ...fresh.notes.map((note) => `in the new recording, ${note}`),
  ];
}
