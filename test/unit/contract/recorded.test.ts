import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { compareContracts } from "../../../src/contract/compare.ts";
import { extractContract } from "../../../src/contract/extract.ts";
import { recordedValues } from "../../../src/contract/recorded.ts";
import { Recording } from "../../../src/replay/recording.ts";
import { CassetteSource } from "../../../src/run/cassette-source.ts";
import { client, request, result, server, tape } from "../../cases/tape.ts";

const listed = (inputSchema: object) => [
  client(request(1, "tools/list")),
  server(result(1, { tools: [{ name: "t", inputSchema }] })),
];
const called = (id: number, args: object, answer: object) => [
  client(request(id, "tools/call", { name: "t", arguments: args })),
  server(result(id, answer)),
];

test("calls that were carried out give arguments and results; those that failed give none", () => {
  const { recording } = tape([
    ...called(2, { a: 1 }, { content: [], structuredContent: { ok: true } }),
    ...called(3, { a: 2 }, { content: [], isError: true }),
    client(request(4, "tools/call", { name: "t", arguments: { a: 3 } })),
  ]);
  const values = recordedValues(recording);
  expect(values.arguments.get("t")).toEqual([{ a: 1 }]);
  expect(values.results.get("t")).toEqual([{ ok: true }]);
});

test("a recorded call is the witness, before any that is made", async () => {
  const schema = { type: "object", properties: { days: { type: "integer" } } };
  const now = { type: "object", properties: { days: { type: "integer", maximum: 7 } } };
  const old = tape([...listed(schema), ...called(2, { days: 12 }, { content: [] })]).recording;
  const changes = await compareContracts(extractContract(old), extractContract(tape(listed(now)).recording), {
    recorded: recordedValues(old),
  });
  expect(changes).toEqual([
    expect.objectContaining({
      rule: "input-range-narrowed",
      class: "breaking",
      subject: "tool t",
      pointer: "/tools/t/inputSchema/properties/days/maximum",
      witness: { value: { days: 12 }, acceptedBy: "old", reason: "/days must be <= 7", from: "recorded" },
    }),
  ]);
});

const cassettes = readdirSync("cassettes").filter((file) => file.endsWith(".yaml"));

test.each(cassettes)("cassettes/%s: its contract is found, and equals itself", async (file) => {
  const unread = (notice: string) => expect.fail(notice);
  const source = () => CassetteSource.open(`cassettes/${file}`, unread);
  const contract = async () => extractContract(new Recording(await source()));
  const first = await contract();
  expect(first.lists.tools.state).toBe("complete");
  expect(first.lists.tools.members.size).toBeGreaterThan(0);
  expect(first.server?.serverInfo).toBeDefined();
  expect(await compareContracts(first, await contract())).toEqual([]);
});
