import { groupsOf } from "../replay/groups.ts";
import type { Outlined } from "../rerecord/outline.ts";
import type { Aligned, Pair } from "./aligned.ts";
import type { Side } from "./side.ts";

/**
 * How often a client asks how a task is getting on depends on how fast both are, so of all times the last one counts,
 * in each recording.
 */
export function withLastPolls(aligned: Aligned, old: Side, fresh: Side): Aligned {
  const polls = aligned.pairs.filter((pair) => isPoll(pair.old));
  if (polls.length === 0) return aligned;
  const last = { old: lastOfTasks(old), fresh: lastOfTasks(fresh) };
  const byTask = groupsOf(polls, (pair) => taskOf(old, pair.old));
  const settled = [...byTask].map(([task, [first]]): Pair => {
    const pair = first as Pair;
    const then = taskOf(fresh, pair.fresh);
    return { old: last.old.get(task) ?? pair.old, fresh: last.fresh.get(then) ?? pair.fresh };
  });
  const others = aligned.pairs.filter((pair) => !isPoll(pair.old));
  return {
    pairs: [...others, ...settled].sort((a, b) => a.old.exchange.entry - b.old.exchange.entry),
    missing: aligned.missing.filter((each) => !isPoll(each) || !byTask.has(taskOf(old, each))),
    added: aligned.added.filter((each) => !isPoll(each)),
  };
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
