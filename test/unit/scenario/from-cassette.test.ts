import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { documentOfCassette } from "../../../src/run/write-scenario.ts";
import { checkSchemas } from "../../../src/scenario/check/check-schemas.ts";
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
});
