import type { Outlined } from "../rerecord/outline.ts";
import { type Naming, NONE } from "../rerecord/pairing.ts";
import type { Aligned, Pair } from "./aligned.ts";
import type { Side } from "./side.ts";

interface Sides {
  readonly old: Side;
  readonly fresh: Side;
}

/**
 * How often a client asks how a task is getting on depends on how fast both are, so of all times the last one counts,
 * in each recording. A task that is asked about in one of them only is missing there or new.
 * @param names tells which task is which
 */
export function withLastPolls(aligned: Aligned, { old, fresh }: Sides, names: Naming): Aligned {
  const polls = aligned.pairs.filter((pair) => isPoll(pair.old));
  if (polls.length === 0) return aligned;
  const last = { old: lastOfTasks(old), fresh: lastOfTasks(fresh) };
  const inBoth = new Map<number | undefined, Pair>();
  const inBothNow = new Set<number | undefined>();
  for (const pair of polls) {
    const [task, now] = [taskOf(old, pair.old), taskOf(fresh, pair.fresh)];
    const token = old.outline.names.all[task ?? NONE]?.token;
    // Polls that are left over are paired as well, each with one of any task.
    const isOther = now !== undefined && token !== undefined && !names.couldBe(now, token);
    if (isOther || inBoth.has(task)) continue;
    inBoth.set(task, { old: last.old.get(task) ?? pair.old, fresh: last.fresh.get(now) ?? pair.fresh });
    inBothNow.add(now);
  }
  const others = aligned.pairs.filter((pair) => !isPoll(pair.old));
  return {
    pairs: [...others, ...inBoth.values()].sort((a, b) => a.old.exchange.entry - b.old.exchange.entry),
    missing: withPolls(aligned.missing, old, (task) => !inBoth.has(task)),
    added: withPolls(aligned.added, fresh, (task) => !inBothNow.has(task)),
  };
}

/** Exchanges without their polls, and all polls of some tasks. */
function withPolls(
  exchanges: readonly Outlined[],
  side: Side,
  isOne: (task: number | undefined) => boolean,
): readonly Outlined[] {
  const others = exchanges.filter((each) => !isPoll(each));
  const polls = side.outline.exchanges.filter((each) => isPoll(each) && isOne(taskOf(side, each)));
  return [...others, ...polls].sort((a, b) => a.index - b.index);
}

function isPoll({ exchange }: Outlined): boolean {
  return exchange.method === "tasks/get";
}

function lastOfTasks(side: Side): ReadonlyMap<number | undefined, Outlined> {
  return new Map(side.outline.exchanges.filter(isPoll).map((each) => [taskOf(side, each), each]));
}

/** The number of the task's name in its recording. */
function taskOf({ outline }: Side, { exchange }: Outlined): number | undefined {
  return outline.meaningsOf(exchange.entry).find((number) => outline.names.all[number]?.kind === "taskId");
}
