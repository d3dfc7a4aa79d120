import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Project, type RunnerName } from "../e2e/support/project.ts";
import { type CodeBlock, codeBlocks } from "./code-blocks.ts";

const PAGE = "docs/testing.md";
const BLOCKS = codeBlocks(PAGE);
const NODE = process.env.MCP_VCR_TEST_NODE ?? process.execPath;

const blocksWith = (text: string): readonly CodeBlock[] =>
  BLOCKS.filter((block) => block.text.includes(text));
const only = (text: string): string => {
  const [block, ...others] = blocksWith(text);
  if (!block || others.length > 0) throw new Error(`${PAGE}: ${others.length + 1} blocks hold ${text}`);
  return block.text;
};

/** Where a reader stands who has the weather server, and what the blocks of a runner say in files. */
function projectOf(runner: RunnerName, blocks: readonly CodeBlock[]): Project {
  const project = new Project(runner, ["lib"]);
  const write = (name: string, text: string) => writeFileSync(join(project.folder, name), text);
  write("package.json", '{ "type": "module" }');
  cpSync("test/fixtures/projects/lib/weather.mjs", join(project.folder, "weather.js"));
  if (runner === "jest") write("jest.config.js", "export default { transform: {} };");
  for (const { line, text } of blocks) write(`line-${line}.test.js`, text);
  return project;
}

/** Names of the tests in a block. */
const testsIn = ({ text }: CodeBlock): number => text.match(/^test[(.]/gm)?.length ?? 0;

describe(PAGE, () => {
  test.each([
    ["vitest", 'from "mcp-vcr/vitest"', 1],
    ["jest", 'from "mcp-vcr/jest"', 0],
    ["node-test", 'from "mcp-vcr/node-test"', 0],
  ] as [RunnerName, string, number][])("what it shows for %s passes", async (runner, imports, each) => {
    const blocks = blocksWith(imports);
    const { code, results, stderr } = await projectOf(runner, blocks).run();
    expect(Object.entries(results).filter(([, failures]) => failures.length > 0)).toEqual([]);
    expect(stderr).not.toContain("Error");
    // One block is of two cities.
    const count = blocks.reduce((sum, block) => sum + testsIn(block), each);
    expect([code, Object.keys(results).length]).toEqual([0, count]);
  });

  test("failures read as shown, and a test without a runner ends as it says", async () => {
    const [block, ...others] = blocksWith('from "mcp-vcr/node-test"');
    const project = projectOf("node-test", block ? [block] : []);
    expect([others, (await project.run()).code]).toEqual([[], 0]);
    // A client that keeps its errors to itself.
    const bergenTest = block?.text
      .replace('"Oslo"', '"Bergen"')
      .replace("const { content } = ", "")
      .replace(/(callTool.*\));/, "$1.catch(() => undefined);")
      .replace(/^ {2}assert\.match.*$/m, "");
    writeFileSync(join(project.folder, "bergen.test.js"), bergenTest ?? "");
    writeFileSync(
      join(project.folder, "lisbon.test.js"),
      block?.text
        .replace("the forecast for Oslo", "the forecast for Lisbon")
        .replace('{ name: "forecast" });', '{ name: "forecast", arguments: { city: "Lisbon" } });') ?? "",
    );
    expect((await project.run(["bergen.test.js", "lisbon.test.js"])).results).toEqual({
      "the forecast for Oslo": [only("No recorded exchange").replace(/^VcrError: /, "")],
      "the forecast for Lisbon": [only("was expected to receive")],
    });
    writeFileSync(join(project.folder, "alone.js"), only("tape.check();"));
    const alone = spawnSync(NODE, ["alone.js"], { cwd: project.folder, encoding: "utf8", timeout: 20_000 });
    expect([alone.status, alone.stdout, alone.stderr]).toEqual([0, "", ""]);
  });

  test("has no block that nobody tries", () => {
    const tried = [
      ...blocksWith('from "mcp-vcr'),
      ...blocksWith("No recorded"),
      ...blocksWith("was expected to"),
    ];
    expect(BLOCKS.filter((block) => !tried.includes(block)).map(({ text }) => text)).toEqual([
      "MCP_VCR_MODE=append npx vitest run",
    ]);
  });

  test("names every option", () => {
    const page = readFileSync(PAGE, "utf8");
    const source = readFileSync("src/testing/use-cassette.ts", "utf8");
    const [, options = ""] = /interface CassetteOptions[^{]*\{([\s\S]*?)\n\}/.exec(source) ?? [];
    const names = [...options.matchAll(/readonly (\w+)\?/g)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(5);
    for (const name of [...names, "misses", "unused"]) expect(page).toContain(`| \`${name}\` |`);
  });
});
