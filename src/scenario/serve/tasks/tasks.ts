import type { IdToken, JsonObject, JsonValue } from "../../../protocol/message.ts";
import type { TaskPlan } from "../../model.ts";
import { opaque } from "../../random.ts";
import type { Asked } from "../asked.ts";
import { asResult } from "../speech.ts";
import type { Stage } from "../stage.ts";
import type { Underway, Way } from "../way.ts";
import { notificationBytes, resultBytes } from "../wire.ts";
import { LegacyTaskWay } from "./legacy-task-way.ts";
import { ModernTaskWay } from "./modern-task-way.ts";
import type { RunningTask } from "./running-task.ts";
import { Task } from "./task.ts";

/** The n-th task of a client is told to be created so many seconds after this: the same in every run. */
const EPOCH = Date.UTC(2026, 0, 1);

/** What one client's requests have become that are tasks. */
export class Tasks {
  readonly #stage: Stage;
  readonly #byId = new Map<string, RunningTask>();
  #count = 0;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** Answers a request with a task, in which its run goes on. */
  begin(run: Underway, plan: TaskPlan): Way {
    const { asked } = run;
    const task = this.#create(asked, plan);
    const isLegacy = asked.client.revision.era === "legacy";
    const way = isLegacy ? new LegacyTaskWay(this.#stage, asked, task) : new ModernTaskWay(task);
    const until = this.#stage.host.now() + (task.facts.ttl ?? Number.POSITIVE_INFINITY);
    this.#byId.set(task.facts.id, { task, run, way, until });
    const told: JsonObject = isLegacy ? { task: task.told } : { resultType: "task", ...task.told };
    const result = { ...told, ...(plan.meta ? { _meta: plan.meta } : {}) };
    const { scenario } = this.#stage;
    const whole = asResult(result, asked.client.revision, { scenario, cached: false });
    this.#stage.send(resultBytes(asked.id, whole), asked.id);
    if (isLegacy) task.watch(() => this.#notify(task));
    return way;
  }

  /** Undefined for one that there is not, or no more. */
  get(id: JsonValue | undefined): RunningTask | undefined {
    if (typeof id !== "string") return undefined;
    return this.own(id) ?? this.#stage.host.taskElsewhere?.(id);
  }

  /** One that was begun here. */
  own(id: string): RunningTask | undefined {
    const found = this.#byId.get(id);
    if (!found || this.#stage.host.now() <= found.until) return found;
    found.run.cancel();
    this.#byId.delete(found.task.facts.id);
    return undefined;
  }

  /** All that there are, in the order of their beginning. */
  get all(): readonly RunningTask[] {
    return [...this.#byId.keys()].flatMap((id) => this.own(id) ?? []);
  }

  /** A request for a result was given up. */
  leave(id: IdToken): void {
    for (const { way } of this.#byId.values()) way.leave?.(id);
  }

  /** The client is gone. */
  close(): void {
    for (const { run } of this.#byId.values()) run.cancel();
  }

  #create({ label, client, params }: Asked, plan: TaskPlan): Task {
    const { seed, tasks } = this.#stage.scenario;
    const { era } = client.revision;
    const index = ++this.#count;
    const wanted = era === "legacy" ? wantedTtl(params.task) : null;
    const facts = {
      id: `task-${opaque(`${seed} task ${index} ${label}`)}`,
      era,
      ttl: plan.ttl ?? tasks.ttl ?? wanted,
      pollInterval: plan.pollInterval ?? tasks.pollInterval,
      createdAt: EPOCH + index * 1000,
    };
    return new Task(facts, plan.message);
  }

  #notify(task: Task): void {
    if (!this.#stage.scenario.tasks.notify) return;
    this.#stage.send(notificationBytes("notifications/tasks/status", task.told), "standalone");
  }
}

/** What a client asks for, in milliseconds. */
function wantedTtl(task: JsonValue | undefined): number | null {
  const ttl = typeof task === "object" && task !== null && !Array.isArray(task) ? task.ttl : undefined;
  return typeof ttl === "number" ? ttl : null;
}
