import type { ListName } from "../../drive/pages.ts";
import type { FilePlace } from "../../errors.ts";
import type { Fault } from "../../faults/plan.ts";
import type { JsonObject } from "../../protocol/message.ts";
import type { Completions, Method, PageRules, Reply, Scenario, TaskSettings, TimedEvent } from "../model.ts";

/** An item of a list as one file has it: what it leaves out may be said by the file it extends. */
export interface Part {
  /** By which it is found in the file it extends, and in lists. */
  readonly key: string;
  readonly place: FilePlace;
  /** Where a member stands; where it does not, the item. */
  readonly placeOf: (member: string, inner?: string) => FilePlace;
  /** Whether the file says this member. */
  readonly says: (member: string) => boolean;
  /** Of one that an extending file has changed: where that file does. */
  readonly overridden: FilePlace | undefined;
  /** Members that lists show. */
  readonly listed: JsonObject;
  readonly hidden: boolean | undefined;
  readonly unlisted: boolean | undefined;
  readonly validate: boolean | undefined;
  readonly replies: readonly Reply[] | undefined;
  readonly complete: Completions | undefined;
}

/** A scenario as one file has it. */
export interface ScenarioParts {
  readonly lists: Readonly<Record<ListName, readonly Part[]>>;
  readonly methods: readonly Method[];
  readonly timeline: readonly TimedEvent[];
  readonly faults: readonly Fault[];
  readonly pageSize: number | undefined;
  readonly pages: Readonly<Partial<Record<ListName, Partial<PageRules>>>>;
  readonly state: JsonObject;
  readonly capabilities: JsonObject;
  readonly settings: Partial<
    Pick<Scenario, "seed" | "server" | "instructions" | "revisions" | "caching" | "unknown"> & {
      readonly tasks: Omit<TaskSettings, "pageSize">;
    }
  >;
}

/** The file that one extends, and what of it is left out. */
export interface Extension {
  readonly file: string;
  readonly place: FilePlace;
  readonly without: readonly Without[];
}

export interface Without {
  readonly list: ListName;
  readonly key: string;
  readonly place: FilePlace;
}
