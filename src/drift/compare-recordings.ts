import type { Change } from "../contract/change.ts";
import { compareContracts } from "../contract/compare.ts";
import { type Contract, LIST_NAMES, MEMBERS } from "../contract/contract.ts";
import { extractContract } from "../contract/extract.ts";
import { type RecordedValues, recordedValues } from "../contract/recorded.ts";
import { answerOf } from "../exchange/exchange.ts";
import type { Pair } from "./aligned.ts";
import { brokenResults, withoutBroken } from "./broken-results.ts";
import { type BehaviourOptions, compareBehaviour } from "./compare-behaviour.ts";
import type { Compared } from "./drift.ts";
import { compareNoise } from "./noise.ts";
import { type RecordedEntries, Side } from "./side.ts";
import { Subjects } from "./subject.ts";
import { compareSteadiness, contractNotes } from "./unsteady.ts";

export interface RecordingComparison {
  readonly changes: readonly Change[];
  readonly compared: Compared;
  /** What a reader should know besides. */
  readonly notes: readonly string[];
}

export interface ComparingOptions extends BehaviourOptions {
  /** Told of answers that differ in nothing but what may: the ordinals of their entries in either recording. */
  readonly onForgiven?: ((old: number, fresh: number) => void) | undefined;
}

/** Everything that differs between two recordings of one server. */
export async function compareRecordings(
  before: RecordedEntries,
  after: RecordedEntries,
  options: ComparingOptions = {},
): Promise<RecordingComparison> {
  const [old, fresh] = [new Side(before), new Side(after)];
  const [promised, promises] = [extractContract(old), extractContract(fresh)];
  const recorded = new LazyValues(() => recordedValues(old, fresh));
  const contract = await compareContracts(promised, promises, { recorded });
  const behaviour = compareBehaviour(old, fresh, options);
  const { changes, exchanges, pairs, forgiven } = behaviour;
  const subjects = new Subjects(old);
  const broken = [
    ...behaviour.broken,
    ...(await brokenResults(pairs, { old, fresh, promised, promises }, subjects)),
  ];
  const faulty = new Set(broken.map(({ change }) => change.subject));
  for (const pair of forgiven) if (!faulty.has(subjects.of(pair.old))) tellForgiven(pair, options);
  for (const side of [old, fresh]) options.own?.look(side);
  return {
    changes: [
      ...contract,
      ...broken.map(({ change }) => change),
      ...withoutBroken(changes, broken),
      ...compareNoise(old, fresh, promises.revisions.spoken),
      ...compareSteadiness(promised, promises),
    ],
    compared: { exchanges, ...inBoth(promised, promises) },
    notes: contractNotes(promised, promises),
  };
}

function tellForgiven({ old, fresh }: Pair, { onForgiven }: ComparingOptions): void {
  const [was, is] = [answerOf(old.exchange), answerOf(fresh.exchange)];
  // One of several in a batch has no entry of its own.
  if (was && is && was.item < 0 && is.item < 0) onForgiven?.(was.entry, is.entry);
}

/** What differs in what a server promises, and nothing else: for recordings in which nothing but that was asked. */
export async function comparePromises(
  before: RecordedEntries,
  after: RecordedEntries,
): Promise<RecordingComparison> {
  const [old, fresh] = [new Side(before), new Side(after)];
  const [promised, promises] = [extractContract(old), extractContract(fresh)];
  const recorded = new LazyValues(() => recordedValues(old, fresh));
  const changes = await compareContracts(promised, promises, { recorded });
  const notes = contractNotes(promised, promises);
  return { changes, compared: inBoth(promised, promises), notes };
}

/** How many members of each list were looked at on both sides. */
function inBoth(old: Contract, fresh: Contract): Compared {
  return Object.fromEntries(
    LIST_NAMES.map((list) => {
      const { members } = fresh.lists[list];
      const both = [...old.lists[list].members.keys()].filter((name) => members.has(name));
      return [`${MEMBERS[list].noun}s`, both.length];
    }),
  );
}

/** All calls are looked through only where schemas differ. */
class LazyValues implements RecordedValues {
  readonly #find: () => RecordedValues;
  #found: RecordedValues | undefined;

  constructor(find: () => RecordedValues) {
    this.#find = find;
  }

  get arguments(): RecordedValues["arguments"] {
    return this.#values.arguments;
  }

  get results(): RecordedValues["results"] {
    return this.#values.results;
  }

  get #values(): RecordedValues {
    this.#found ??= this.#find();
    return this.#found;
  }
}
