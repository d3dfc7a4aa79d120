import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { useCassette, VcrError } from "../../../src/index.ts";
import { folderOf, LEGACY } from "./support.ts";

const YAML = [
  "mcp-vcr: 1",
  "recorded: 2026-11-30T09:00:00.000Z",
  "recorder: mcp-vcr/0.1.0",
  "source: { transport: stdio, command: [x] }",
  "...",
];

async function faultOf(opening: Promise<unknown>): Promise<{ code: string; text: string; hint: string }> {
  const error = await opening.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(VcrError);
  const { code, message, hint = "" } = error as VcrError;
  return { code, text: message, hint };
}

describe("a name", () => {
  test.each([
    ["a", "a.yaml"],
    ["b", "b.jsonl"],
    ["remote/c", "remote/c.yaml"],
  ])("%s is %s in the folder", async (name, file) => {
    const folder = folderOf({ "a.yaml": YAML, "b.jsonl": LEGACY, "remote/c.yaml": YAML });
    const tape = await useCassette(name, { folder });
    expect(tape.file).toBe(join(folder, file));
    await tape.close();
  });

  test("that two files have is refused, and names both", async () => {
    const folder = folderOf({ "a.yaml": YAML, "a.jsonl": LEGACY });
    const { code, text, hint } = await faultOf(useCassette("a", { folder }));
    expect(code).toBe("usage");
    expect(text).toBe(`"a" could be ${join(folder, "a.yaml")} or ${join(folder, "a.jsonl")}`);
    expect(hint).toContain("a.yaml");
  });

  test("that no file has is told with those there are, and how to record it", async () => {
    const folder = folderOf({ "a.yaml": YAML, "b.jsonl": LEGACY, "c.txt": [] });
    const { code, text, hint } = await faultOf(useCassette("d", { folder }));
    expect(code).toBe("cassette-missing");
    expect(text).toBe(`${folder}: no cassette is called "d"`);
    expect(hint).toBe(`There are: a, b. Record it: mcp-vcr record -o ${join(folder, "d.yaml")} -- COMMAND`);
    const nowhere = await faultOf(useCassette("d", { folder: join(folder, "none") }));
    expect(nowhere.hint).toMatch(/^Record it/);
  });

  test("is needed", async () => {
    expect((await faultOf(useCassette(""))).hint).toContain("useCassette(");
  });
});

describe("a file", () => {
  test("is opened where it is", async () => {
    const folder = folderOf({ "x/a.jsonl": LEGACY });
    const tape = await useCassette(join(folder, "x/a.jsonl"));
    expect(tape.file).toBe(join(folder, "x/a.jsonl"));
    await tape.close();
  });

  test("that is not there is told, and where one of that name is", async () => {
    const folder = folderOf({ "only-here.yaml": YAML });
    expect(await faultOf(useCassette("nowhere.yaml", { folder }))).toMatchObject({
      code: "cassette-missing",
      hint: "Record it: mcp-vcr record -o nowhere.yaml -- COMMAND",
    });
    expect((await faultOf(useCassette("only-here.yaml", { folder }))).hint).toContain(
      JSON.stringify(join(folder, "only-here.yaml")),
    );
  });

  test("that is broken further on is told at once, with its line", async () => {
    const folder = folderOf({ "a.jsonl": [...LEGACY, '{"at":8,"from":"nobody"}'] });
    const { code, text } = await faultOf(useCassette("a", { folder }));
    expect(code).toBe("cassette-invalid");
    expect(text).toContain(`a.jsonl:${LEGACY.length + 1}`);
  });
});

describe("options", () => {
  test("that are none are refused, and the right ones named", async () => {
    const options = { sever: ["node"] } as object;
    expect(await faultOf(useCassette("weather", options))).toMatchObject({
      code: "usage",
      text: 'useCassette has no option "sever"',
      hint: "Its options are: folder, strict, faults.",
    });
  });

  test("of another type are refused", async () => {
    const options = { strict: "yes" } as unknown as { strict: boolean };
    expect((await faultOf(useCassette("weather", options))).text).toBe(
      'useCassette: strict must be a boolean, not "yes"',
    );
  });
});
