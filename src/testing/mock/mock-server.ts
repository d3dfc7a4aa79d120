import type { JsonObject } from "../../protocol/message.ts";
import type {
  PromptDocument,
  ResourceDocument,
  TemplateDocument,
  ToolDocument,
} from "../../scenario/define-scenario.ts";
import type { Duration } from "../../scenario/duration.ts";
import type { FaultDo, FaultOn } from "../../scenario/fault-document.ts";
import { checkedWanted } from "../expect/wanted.ts";
import type { TapeOptions } from "../in-process-tape.ts";
import { Tape } from "../tape.ts";
import { cancelling } from "./cancelled.ts";
import type { Listed } from "./draft.ts";
import { type MockBeginning, MockPlay } from "./mock-play.ts";
import type { Replying, ToolReplying } from "./replying.ts";

/**
 * A server made by a test: tools, resources and prompts with their replies, in whichever revision and era a client opens.
 * It is a tape like any other to clients and matchers.
 */
export class MockServer extends Tape {
  readonly #mock: MockPlay;

  /** @internal */
  static async open(beginning: MockBeginning, options: TapeOptions): Promise<MockServer> {
    return new MockServer(await MockPlay.of(beginning), options);
  }

  private constructor(play: MockPlay, options: TapeOptions) {
    super(play, options);
    this.#mock = play;
  }

  /** A tool, with what lists show of it. Without a reply, a call is a miss. */
  tool<Args = JsonObject>(name: string, listed: Listed<ToolDocument, "name"> = {}): ToolReplying<Args> {
    return this.#mock.draft.tool<Args>(name, listed);
  }

  resource(uri: string, listed: Listed<ResourceDocument, "uri"> = {}): Replying<object> {
    return this.#mock.draft.resource(uri, listed);
  }

  /** Resources by a URI template, whose variables are the arguments. */
  template<Args = JsonObject>(
    uriTemplate: string,
    listed: Listed<TemplateDocument, "uriTemplate"> = {},
  ): Replying<Args> {
    return this.#mock.draft.template<Args>(uriTemplate, listed);
  }

  prompt<Args = JsonObject>(name: string, listed: Listed<PromptDocument, "name"> = {}): Replying<Args> {
    return this.#mock.draft.prompt<Args>(name, listed);
  }

  /** A method that the protocol does not have. */
  method<Params = JsonObject>(method: string): Replying<Params> {
    return this.#mock.draft.method<Params>(method);
  }

  /** Lays a fault over the answers to some requests: docs/faults.md. */
  fault(on: FaultOn, what: FaultDo): this {
    this.#mock.fault({ on, do: what });
    return this;
  }

  /**
   * Tells the clients that are there: those of revisions up to 2025-11-25 whatever it is, later ones what they listen
   * for.
   * @throws VcrError `usage` where nobody would hear it
   */
  notify(method: string, params?: JsonObject): void {
    this.#mock.notify(method, params);
  }

  /**
   * Waits until a client has given such a request up: by a notification, or over HTTP in the 2026-07-28 revision by
   * closing the response. What nobody waits for fails the test all the same.
   * @param params those that matter
   * @param options `within` how long, `"2s"` or in milliseconds; a second where not given (fake timers do not count).
   * @throws VcrError `test-failed` where none has in time, saying what became of such requests; `usage`
   */
  expectCancelled(
    method: string,
    params?: object,
    options: { readonly within?: Duration | number | undefined } = {},
  ): Promise<void> {
    try {
      const wanted = checkedWanted("expectCancelled", method, params);
      return this.#mock.expectations.add(cancelling(this.#mock, wanted, options.within));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** As that of any tape; what is still expected is not met. */
  override reset(): void {
    this.mustBeOpen();
    this.#mock.expectations.cutShort("before the reset");
    super.reset();
  }

  /** As that of any tape; what is still expected is not met. */
  override async close(): Promise<void> {
    this.#mock.expectations.cutShort("before the test was over");
    await super.close();
  }
}
