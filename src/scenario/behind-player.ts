import { LISTS } from "../drive/pages.ts";
import { formatPlace } from "../errors.ts";
import type { IdToken, JsonObject, Message } from "../protocol/message.ts";
import { NO_JOURNAL } from "../replay/forward/journal.ts";
import type { Link, LinkSide } from "../replay/forward/link.ts";
import { ForwardLog } from "../replay/forward/log.ts";
import type { RealServer, Written } from "../replay/forward/real-server.ts";
import { isMiss, type Miss } from "../replay/miss.ts";
import type { Timer } from "../replay/pacer.ts";
import { isProbe } from "../replay/probes.ts";
import { allAnswering } from "./effects.ts";
import type { Reply, Scenario } from "./model.ts";
import type { Schemas } from "./schemas.ts";
import type { Use } from "./serve/host.ts";
import { wantedBy } from "./serve/miss.ts";
import { ScenarioServer } from "./serve/scenario-server.ts";
import type { RunningTask } from "./serve/tasks/running-task.ts";

export interface Behind {
  readonly timer: Timer;
  /** See `Host`. */
  readonly apart?: Timer;
  /** Milliseconds. */
  readonly now: () => number;
  readonly schemas: Schemas;
  readonly onMiss: (miss: Miss, explanation: string) => void;
  readonly onNotice: (notice: string) => void;
}

/** A scenario where a player has its real server: a server of its own for each client. */
export class ScenarioBehind implements RealServer, Written {
  readonly name: string;
  readonly keeps = false;
  readonly written: Written = this;
  readonly log = new ForwardLog();
  hits = 0;
  asked = false;
  readonly #scenario: Scenario;
  readonly #behind: Behind;
  readonly #servers = new Set<ScenarioServer>();
  readonly #used = new Set<Reply>();
  readonly #unsent = new Set<string>();
  /** The last page that was asked for, and how many there are, by list. */
  readonly #pages = new Map<keyof typeof LISTS, { last: number; of: number }>();

  constructor(scenario: Scenario, behind: Behind) {
    this.name = scenario.origin;
    this.#scenario = scenario;
    this.#behind = behind;
  }

  connect(side: LinkSide): Link {
    const { timer, apart, now, schemas, onMiss } = this.#behind;
    const probes = new Set<IdToken>();
    const server: ScenarioServer = new ScenarioServer(this.#scenario, {
      send: (message, on, event) => {
        if (message.kind === "response" && !isMiss(message)) this.#answered(message, probes);
        side.message(message, { on: on === "standalone" ? "get" : { id: on }, event });
      },
      streamed: (id, event) => side.streamed(id, event),
      taskElsewhere: (id) => this.#taskElsewhere(id, server),
      rests: (id) => side.rests(id),
      timer,
      ...(apart && { apart }),
      now,
      schemas,
      miss: onMiss,
      unsent: (method) => this.#tellUnsent(method),
      used: (use) => this.#note(use),
    });
    this.#servers.add(server);
    return {
      send: (message) => {
        if (message.kind === "request" && message.id !== undefined && isProbe(message))
          probes.add(message.id);
        server.receive(message);
      },
      drop: (id) => server.drop(id),
      close: async () => {
        this.#servers.delete(server);
        server.close();
      },
    };
  }

  /** Clients of the modern era over HTTP may be taken for one another; a task is known by its id alone. */
  #taskElsewhere(id: string, { isModern }: ScenarioServer): RunningTask | undefined {
    if (!isModern) return undefined;
    for (const { isModern: isToo, tasks } of this.#servers) {
      const found = isToo ? tasks.own(id) : undefined;
      if (found) return found;
    }
    return undefined;
  }

  journal() {
    return NO_JOURNAL;
  }

  inputSchemaOf(tool: string): JsonObject | undefined {
    return this.#scenario.tools.find(({ name }) => name === tool)?.inputSchema;
  }

  /** Tells the clients that are there, see `Feeds`; false where none hears it. */
  notify(method: string, params: JsonObject | undefined): boolean {
    return [...this.#servers].map(({ feeds }) => feeds.notify(method, params)).includes(true);
  }

  unused(): ReturnType<Written["unused"]> {
    const replies = allAnswering(this.#scenario).flatMap(({ label, replies = [] }) =>
      replies
        .filter((reply) => !this.#used.has(reply))
        .map((reply) => ({ label, asked: wantedBy(reply), place: formatPlace(reply.place) })),
    );
    const pages = [...this.#pages].flatMap(([list, { last, of }]) =>
      Array.from({ length: of - last }, (_, index) => ({
        label: LISTS[list].method,
        asked: { page: last + index + 1 },
      })),
    );
    return [...replies, ...pages];
  }

  #answered({ id }: Message, probes: Set<IdToken>): void {
    this.hits++;
    if (id === undefined || !probes.delete(id)) this.asked = true;
  }

  #tellUnsent(method: string): void {
    if (this.#unsent.has(method)) return;
    this.#unsent.add(method);
    const why = "what a server of the modern era sends by itself are changes that a client listens to";
    this.#behind.onNotice(`timeline: ${method} is not sent to clients of the modern era: ${why}.`);
  }

  #note(use: Use): void {
    if (use.kind === "reply") {
      this.#used.add(use.reply);
      return;
    }
    const { list, page, of } = use;
    this.#pages.set(list, { last: Math.max(page, this.#pages.get(list)?.last ?? 0), of });
  }
}
