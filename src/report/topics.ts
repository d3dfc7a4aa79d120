import type { Change, ChangeClass } from "../contract/change.ts";
import { CLASSES } from "../drift/drift.ts";
import { sorted } from "./alike.ts";
import { bySubject } from "./words.ts";

/** What is told together: all of one subject, or one change that several subjects have in common. */
export interface Topic {
  readonly worst: ChangeClass;
  readonly subjects: readonly string[];
  readonly changes: readonly Change[];
}

export interface Topics {
  /** Each of one class, the worst first: a subject stands here once for every class that it has changes of. */
  readonly rows: readonly Topic[];
  /** The same for details: a subject stands here once. */
  readonly whole: readonly Topic[];
}

export function topicsOf(changes: readonly Change[]): Topics {
  const classes = CLASSES.map((worst) => ({
    worst,
    ...sorted(changes.filter((change) => change.class === worst)),
  }));
  const ofSubjects = (all: readonly Change[]) =>
    [...bySubject(all)].map(([subject, own]): Topic => {
      return { worst: own[0]?.class as ChangeClass, subjects: [subject], changes: own };
    });
  const ofAlike = ({ worst, alike }: (typeof classes)[number]) =>
    alike.map(({ change, subjects }): Topic => ({ worst, subjects, changes: [change] }));
  const subjects = ofSubjects(classes.flatMap(({ others }) => others));
  return {
    rows: classes.flatMap((each) => [...ofSubjects(each.others), ...ofAlike(each)]),
    whole: classes.flatMap((each) => [
      ...subjects.filter(({ worst }) => worst === each.worst),
      ...ofAlike(each),
    ]),
  };
}
