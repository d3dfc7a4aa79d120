import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { documentOfCassette } from "../../../src/run/write-scenario.ts";
import { checkSchemas } from "../../../src/scenario/check/check-schemas.ts";
import { documentOf } from "../../../src/scenario/record/document-of.ts";
import { client, request, result, server, tape } from "../../cases/tape.ts";
import { Bench, type Json, load, schemas, textIn } from "./support.ts";

const CASSETTES = readdirSync("cassettes").filter((file) => file.endsWith(".yaml"));

async function benchOf(file: string): Promise<Bench> {
  const { document } = await documentOfCassette(`cassettes/${file}`);
  await schemas.load();
  return new Bench(await load({ "s.yaml": document }));
}

describe("the scenario of a cassette", () => {
  test.each(CASSETTES)("%s holds to its form", async (file) => {
    const { document } = await documentOfCassette(`cassettes/${file}`);
    checkSchemas(await load({ "s.yaml": document }), await schemas.load());
  });

  test("answers what was recorded, in the other era too, and nothing else", async () => {
    const bench = await benchOf("weather.yaml");
    expect(bench.initialize("2025-06-18", { elicitation: {} }).result).toMatchObject({
      serverInfo: { name: "weather" },
    });
    expect(textIn(bench.call("forecast", { city: "Oslo" }))).toBe(
      "Oslo, Monday\n3 °C, rain\nwind 7 m/s from the west",
    );
    expect(bench.call("forecast", { city: "Atlantis" }).result).toMatchObject({ isError: true });
    expect(bench.misses).toEqual([]);
    bench.call("forecast", { city: "Bergen" });
    expect(bench.misses[0]).toMatchObject({ reason: "unwritten", label: "tools/call forecast" });
    const [elicit] = bench.request("tools/call", { name: "here" }, "h") as [Json];
    expect(elicit).toMatchObject({
      method: "elicitation/create",
      params: { message: "Which city are you in?" },
    });
  });

  test("names what it leaves out", async () => {
    const { notices } = await documentOfCassette("cassettes/everything.yaml");
    expect(notices).toContain("tasks: not built yet, and left out");
  });

  test("gives back what looks like a reference, and what breaks the protocol", async () => {
    const { player } = tape([
      client(request(1, "tools/list")),
      server(
        result(1, {
          tools: [
            { name: "t", inputSchema: { type: "object" } },
            { name: "u", inputSchema: { type: "object" } },
          ],
        }),
      ),
      client(request(2, "tools/call", { name: "t", arguments: {} })),
      server(result(2, { content: [{ type: "text", text: "${args.x} $${", "${k}": "${" }] })),
      client(request(3, "tools/call", { name: "u", arguments: {} })),
      server(result(3, { content: [{ type: "image", data: "%", mimeType: 5 }] })),
    ]);
    const { document, notices } = documentOf(player.recording, await schemas.load());
    expect(notices).toEqual([expect.stringMatching(/data is no base64: so it is not checked/)]);
    const bench = new Bench(await load({ "s.yaml": document }));
    bench.initialize();
    expect(bench.call("t").result).toEqual({
      content: [{ type: "text", text: "${args.x} $${", "${k}": "${" }],
    });
    expect(bench.call("u").result).toEqual({ content: [{ type: "image", data: "%", mimeType: 5 }] });
  });
});
