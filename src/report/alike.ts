import type { Change } from "../contract/change.ts";
import { groupsOf } from "../replay/groups.ts";

/** Changes of several subjects that say the same, to be told once. */
export interface Alike {
  /** One for all: its message names nobody in particular. */
  readonly change: Change;
  readonly subjects: readonly string[];
}

export interface Sorted {
  readonly alike: readonly Alike[];
  /** What is to be told of each subject. */
  readonly others: readonly Change[];
}

/** Changes that may be told together, and how many there must be for it to be shorter. */
interface Way {
  readonly least: number;
  /** Equal for changes that say the same; undefined where one has to be told by itself. */
  readonly key: (change: Change) => string | undefined;
  /** What is told of them all. */
  readonly of: (change: Change) => Change;
}

const WAYS: readonly Way[] = [
  {
    least: 2,
    key: ({ before, after, pointer, rule, message }) =>
      (before ?? after) === undefined && pointer === "" ? JSON.stringify([rule, message]) : undefined,
    of: (change) => change,
  },
  {
    least: 3,
    key: ({ rule, message, before, after, witness }) =>
      JSON.stringify([rule, message, before, after, witness]),
    of: (change) => change,
  },
  {
    least: 5,
    // Of so many whole tools, resources and schemas the first words of each tell little.
    key: (change) => {
      const { before, after, layer, witness, rule } = change;
      const whole = [before, after].some((value) => typeof value === "object");
      if (!whole || layer !== "contract" || witness) return undefined;
      return JSON.stringify([rule, ofNobody(change), before === undefined]);
    },
    of: ({ before: _old, after: _new, ...change }) => ({
      ...change,
      message: ofNobody(change),
    }),
  },
];

/** The message with `…` in the place of the subject's name. */
function ofNobody({ subject, message }: Pick<Change, "subject" | "message">): string {
  const name = subject.slice(subject.indexOf(" ") + 1).replace(/^template /, "");
  return message.replace(name, "…");
}

/** Sorts out what several subjects have in common. */
export function sorted(changes: readonly Change[]): Sorted {
  const alike: Alike[] = [];
  let others = changes;
  for (const { least, key, of } of WAYS) {
    const groups = [...groupsOf(others, key)]
      .filter(([text]) => text !== undefined)
      .map(([, all]) => ({ all, subjects: [...new Set(all.map(({ subject }) => subject))] }))
      .filter(({ subjects }) => subjects.length >= least);
    alike.push(...groups.map(({ all, subjects }) => ({ change: of(all[0] as Change), subjects })));
    const taken = new Set(groups.flatMap(({ all }) => all));
    others = others.filter((change) => !taken.has(change));
  }
  return { alike, others };
}
