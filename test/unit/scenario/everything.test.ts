import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { checkSchemas } from "../../../src/scenario/check/check-schemas.ts";
import { Bench, type Json, load, modern, schemas, textIn } from "./support.ts";

const TEXT = readFileSync("src/scenario/ready/everything.yaml", "utf8");

test("the scenario that comes with the program holds to its form, whole", async () => {
  checkSchemas(await load({ "everything.yaml": TEXT }), await schemas.load());
});

test("answers in every revision, from one file", async () => {
  for (const version of ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]) {
    const bench = await Bench.of(TEXT);
    expect(bench.initialize(version).result).toMatchObject({ protocolVersion: version });
    expect(textIn(bench.call("forecast", { city: "Oslo" }))).toBe("3 °C, rain");
    const [tool] = (bench.ask("tools/list").result as { tools: Json[] }).tools as [Json];
    expect([tool.annotations !== undefined, tool.title !== undefined, tool.icons !== undefined]).toEqual([
      version >= "2025-03-26",
      version >= "2025-06-18",
      version >= "2025-11-25",
    ]);
    const reading = bench.call("reading").result as Json;
    expect(reading.structuredContent !== undefined).toBe(version >= "2025-06-18");
  }
  const bench = await Bench.of(TEXT);
  expect(bench.ask("server/discover", modern()).result).toMatchObject({
    supportedVersions: ["2026-07-28"],
    capabilities: {
      tools: { listChanged: true },
      resources: { subscribe: true },
      prompts: {},
      completions: {},
      logging: {},
    },
  });
  expect(
    textIn(bench.ask("tools/call", { name: "forecast", arguments: { city: "Oslo" }, ...modern() })),
  ).toBe("3 °C, rain");
});
