import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { CancelledRequest, Report } from "../../src/replay/report.ts";
import { conforming } from "../cases/report-schema.ts";
import { tempFolder } from "./support/cassette.ts";
import { NODE, start } from "./support/program.ts";
import { connect, type Sdk, type Way } from "./support/sdk.ts";
import { type Client, type Door, everyday, LISTEN, PATIENCE_MS, record, serve } from "./support/walk.ts";

/** Published clients that give calls up: recorded as given up, and live alone while progress flows at recorded pace. */

/** Calls a tool, and gives up as soon as it has come so far; what its outcome is for the client. */
async function call(
  sdk: Sdk,
  name: string,
  args: object,
  giveUpAt = Number.POSITIVE_INFINITY,
): Promise<string> {
  const controller = new AbortController();
  const onprogress = ({ progress }: { readonly progress: number }) => {
    if (progress === giveUpAt) controller.abort(new Error("too slow"));
  };
  const options = { signal: controller.signal, onprogress };
  return sdk.request("tools/call", { name, arguments: args }, options).then(
    ({ content }) => content[0]?.text ?? "",
    () => "given up",
  );
}

/** One session: a call that is never answered and is given up, one that is as patience allows, and a third. */
async function session(client: Client, way: Way, patience: "patient" | "impatient"): Promise<string[]> {
  const sdk = await connect(client, way);
  const outcomes = [
    await call(sdk, "hold", { ticket: "one" }, 1),
    await call(sdk, "count_to_three", {}, patience === "patient" ? undefined : 2),
    await call(sdk, "echo", { text: "still here" }),
  ];
  await sdk.client.close();
  return outcomes;
}

const HOUR_MS = 3_600_000;

/** Makes a recording of what it was, but that the third progress message came an hour later. */
function stretch(file: string): void {
  let late = 0;
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  const stretched = lines.map((line) => {
    const entry = JSON.parse(line);
    if (entry.message?.method === "notifications/progress" && entry.message.params.progress === 3)
      late = HOUR_MS;
    return JSON.stringify(entry.at === undefined ? entry : { ...entry, at: entry.at + late });
  });
  expect(late).toBe(HOUR_MS);
  writeFileSync(file, `${stretched.join("\n")}\n`);
}

async function recorded(client: Client, door: Door): Promise<string> {
  const file = join(tempFolder(), "calls.jsonl");
  if (door === "stdio") {
    const command = [NODE, ...record(file, everyday(client.era, door))];
    expect(await session(client, { command }, "patient")).toEqual(["given up", "counted to 3", "still here"]);
  } else {
    const upstream = start(everyday(client.era, door));
    const recorder = start(record(file, { url: await upstream.url() }));
    const way = { url: await recorder.url() };
    expect(await session(client, way, "patient")).toEqual(["given up", "counted to 3", "still here"]);
    expect(await recorder.stop()).toMatchObject({ code: 0, stderr: "" });
    await upstream.stop();
  }
  stretch(file);
  return file;
}

/** Plays a session that gives both calls up, at recorded pace, and answers what the report says of it. */
async function reported(client: Client, door: Door, file: string): Promise<Report> {
  const report = join(tempFolder(), "report.json");
  const program = serve(file, "--pace", "recorded", "--report", report);
  const expected = ["given up", "given up", "still here"];
  if (door === "stdio")
    expect(await session(client, { command: [NODE, ...program] }, "impatient")).toEqual(expected);
  else {
    const mock = start([...program, ...LISTEN]);
    expect(await session(client, { url: await mock.url() }, "impatient")).toEqual(expected);
    const { code, stdout, stderr } = await mock.stop();
    expect({ code, stderr, lines: stdout.toString().split("\n").length }).toEqual({
      code: 0,
      stderr: "",
      lines: 2,
    });
  }
  return conforming(JSON.parse(readFileSync(report, "utf8")) as Report);
}

const SDK_1: Client = { sdk: "1", era: "legacy" };
const SDK_2: Client = { sdk: "2", era: "legacy" };
const MODERN: Client = { sdk: "2", era: "modern" };

const TAPES: readonly {
  readonly by: Client;
  readonly door: Door;
  readonly for: readonly [Client, Door][];
}[] = [
  {
    by: SDK_1,
    door: "stdio",
    for: [
      [SDK_1, "stdio"],
      [SDK_2, "http"],
    ],
  },
  {
    by: SDK_2,
    door: "http",
    for: [
      [SDK_2, "stdio"],
      [SDK_1, "http"],
    ],
  },
  { by: MODERN, door: "stdio", for: [[MODERN, "http"]] },
  {
    by: MODERN,
    door: "http",
    for: [
      [MODERN, "stdio"],
      [MODERN, "http"],
    ],
  },
];

describe("calls that are given up", () => {
  test.each(TAPES)(
    "recorded by SDK $by.sdk, $by.era, over $door",
    { timeout: PATIENCE_MS },
    async ({ by, door, for: clients }) => {
      const file = await recorded(by, door);
      const cancelled: readonly CancelledRequest[] = [
        { label: "tools/call hold", recorded: true, unsent: 0 },
        { label: "tools/call count_to_three", recorded: false, unsent: 2 },
      ];
      for (const [client, live] of clients) {
        const name = `SDK ${client.sdk} over ${live}`;
        expect(await reported(client, live, file), name).toMatchObject({
          cancelled,
          misses: [],
          unanswered: [],
        });
      }
    },
  );
});
