import { expect, test } from "vitest";
import { readMessage } from "../../../src/protocol/message.ts";
import { Player } from "../../../src/replay/player.ts";
import { Visitor } from "../../../src/replay/visitor.ts";
import { nothingBehind } from "../../../src/run/nothing-behind.ts";
import { AjvSchemas } from "../../../src/scenario/ajv/ajv-schemas.ts";
import { ScenarioBehind } from "../../../src/scenario/behind-player.ts";
import { bytesOf, request } from "../../cases/tape.ts";
import { VirtualTime } from "../../cases/virtual-time.ts";
import { load, modern, schemas } from "./support.ts";

test("a reply that never answered is told with all its conditions, and where it is written", async () => {
  const scenario = await load({
    "s.yaml": `scenario: 1
state: { user: none }
tools:
  - name: book
    replies:
      - client: { elicitation: { any: false } }
        toolError: no
      - when: { city: Oslo }
        requires: { user: none }
        text: yes
`,
  });
  const never = () => undefined;
  const { timer } = new VirtualTime();
  const behind = new ScenarioBehind(scenario, {
    timer,
    now: () => 0,
    schemas,
    onMiss: never,
    onNotice: never,
  });
  expect(behind.unused()).toEqual([
    {
      label: "tools/call book",
      asked: { client: { elicitation: { any: false } } },
      place: "s.yaml:6:9",
    },
    {
      label: "tools/call book",
      asked: { when: { city: "Oslo" }, requires: { user: "none" } },
      place: "s.yaml:8:9",
    },
  ]);
});

test("a reply is chosen too where the client gives up, and leaves, before schemas can be checked", async () => {
  const scenario = await load({
    "s.yaml": "scenario: 1\ntools: [{ name: wait, replies: [{ delay: 3s, text: late }] }]\n",
  });
  const late = new AjvSchemas(new Set(["2020-12"]));
  const never = () => undefined;
  const { timer } = new VirtualTime();
  const ways = { timer, now: () => 0, schemas: late, onMiss: never, onNotice: never };
  const behind = new ScenarioBehind(scenario, ways);
  const sent: string[] = [];
  const link = behind.connect({
    message: (each) => sent.push(String(each.id)),
    refused: never,
    streamed: never,
    rests: never,
    closed: never,
  });
  const call = request(1, "tools/call", { name: "wait", ...modern() });
  link.send(readMessage(bytesOf(JSON.stringify(call))));
  link.drop?.("1");
  await link.close();
  expect(behind.unused()).toHaveLength(1);
  await late.load();
  expect([behind.unused(), sent]).toEqual([[], []]);
});

test.each(["legacy", "modern"])(
  "what is given up in the same breath was asked all the same (%s)",
  async (era) => {
    const scenario = await load({
      "s.yaml": "scenario: 1\ntools: [{ name: wait, replies: [{ hang: true }] }]\n",
    });
    await schemas.load();
    const never = () => undefined;
    const time = new VirtualTime();
    const ways = { timer: time.timer, now: () => 0, schemas, onMiss: never, onNotice: never };
    const behind = new ScenarioBehind(scenario, ways);
    const recording = nothingBehind();
    const player = new Player(recording, { cassette: "s.yaml", realServer: behind });
    const answers: unknown[] = [];
    const session = player.connect(
      {
        carrier: "stdio",
        carriesStatus: false,
        timer: time.timer,
        act: (action) => void answers.push(action),
        rests: never,
      },
      [new Visitor()],
    );
    const say = (said: object) => session.receive(readMessage(bytesOf(JSON.stringify(said))));
    const meta = era === "modern" ? modern() : {};
    if (era === "legacy") {
      const opening = {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "t", version: "1" },
      };
      say(request(0, "initialize", opening));
      await Promise.resolve();
      say({ jsonrpc: "2.0", method: "notifications/initialized" });
      answers.length = 0;
    }
    say(request(1, "tools/call", { name: "wait", ...meta }));
    say({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
    await Promise.resolve();
    expect(answers).toEqual([]);
    const { cancelled, unused } = player.tally.build(recording, "s.yaml");
    expect(cancelled).toEqual([{ label: "tools/call wait", recorded: false, unsent: 0 }]);
    expect(unused).toEqual([]);
  },
);
