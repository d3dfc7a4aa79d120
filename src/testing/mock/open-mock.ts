import { VcrError } from "../../errors.ts";
import { planOf } from "../fault-plan.ts";
import {
  callerOf,
  checkOptions,
  FAULTS,
  type FaultsOption,
  OBJECT,
  type OptionKind,
  type OptionKinds,
  VERDICTS,
} from "../options.ts";
import type { Verdicts } from "../verdict.ts";
import type { MockDocument } from "./draft.ts";
import type { MockServer } from "./mock-server.ts";

export interface MockOptions extends MockDocument, Verdicts {
  /** Faults to lay over it: the name of a ready set, a file, or what such a file would hold. See docs/faults.md. */
  readonly faults?: FaultsOption | undefined;
}

/** What it is, is told with the rest of the scenario. */
const ANY: OptionKind = { is: "anything", fits: () => true };

const OPTIONS: OptionKinds<Required<MockOptions>> = {
  server: OBJECT,
  instructions: ANY,
  seed: ANY,
  revisions: ANY,
  capabilities: OBJECT,
  pageSize: ANY,
  pages: ANY,
  caching: ANY,
  state: OBJECT,
  unknown: ANY,
  validate: ANY,
  tools: ANY,
  resources: ANY,
  templates: ANY,
  prompts: ANY,
  methods: ANY,
  timeline: ANY,
  tasks: ANY,
  faults: FAULTS,
  ...VERDICTS,
};

/**
 * Opens a server that the test makes, without a file.
 *
 * ```ts
 * const mock = await mockServer();
 * mock.tool("forecast").when({ city: "Oslo" }).reply("3 °C, rain");
 * await client.connect(mock.transport());
 * ```
 *
 * @param options members of a scenario (docs/scenarios.md), faults, and what fails the test
 * @throws VcrError `usage` for an option that is none, `faults-invalid`
 */
export async function mockServer(options: MockOptions = {}): Promise<MockServer> {
  const opened = callerOf(mockServer);
  return openMock(options, opened);
}

/** @param opened where the test opens it */
export async function openMock(options: MockOptions, opened: string | undefined): Promise<MockServer> {
  if (typeof options === "string") {
    throw new VcrError("usage", "mockServer takes options, not a name", {
      hint: `Its name is one of them: mockServer({ server: { name: ${JSON.stringify(options)}, version: "1.0.0" } }).`,
    });
  }
  checkOptions("mockServer", options as Required<MockOptions>, OPTIONS);
  const { faults, misses, unused, ...document } = options;
  // Loaded when used: most tests open cassettes.
  const { MockServer } = await import("./mock-server.ts");
  return MockServer.open({ document, faults: await planOf(faults) }, { misses, unused, opened });
}
