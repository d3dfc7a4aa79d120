import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempFolder } from "./support/cassette.ts";
import { CLI, run } from "./support/program.ts";
import { Project, type RunnerName } from "./support/project.ts";
import { onTerminal, type Typed } from "./support/terminal.ts";

const WEATHER = { weather: { command: "node", args: ["weather.js"] } };

function init(cwd: string, ...flags: readonly string[]) {
  return run([CLI, "init", ...flags], { cwd });
}

function write(folder: string, files: Readonly<Record<string, unknown>>): void {
  for (const [path, value] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), typeof value === "string" ? value : JSON.stringify(value, null, "\t"));
  }
}

/** All files of a folder, with their texts. */
function filesIn(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(files.map((file) => [file.slice(folder.length + 1), readFileSync(file, "utf8")]));
}

/** A project of each runner, each with another client, and where its example goes. */
const PROJECTS: Readonly<
  Record<RunnerName, { readonly files: Readonly<Record<string, unknown>>; readonly example: string }>
> = {
  vitest: {
    files: {
      "package.json": {
        type: "module",
        scripts: { test: "vitest run" },
        devDependencies: { vitest: "^4.1.0", typescript: "^7.0.0", "@modelcontextprotocol/client": "^2.4.0" },
      },
      "tsconfig.json": {},
      ".vscode/mcp.json": { servers: WEATHER },
    },
    example: "test/mcp-example.test.ts",
  },
  jest: {
    files: {
      "package.json": { devDependencies: { jest: "^30.0.0", "@modelcontextprotocol/sdk": "^1.32.0" } },
      "pnpm-lock.yaml": "",
      ".cursor/mcp.json": { mcpServers: { remote: { url: "https://weather.example/mcp" } } },
    },
    example: "test/mcp-example.test.mjs",
  },
  "node-test": {
    files: {
      "package.json": '{ "type": "module" }',
      "tests/other.txt": "",
      ".mcp.json": { mcpServers: WEATHER },
    },
    example: "tests/mcp-example.test.js",
  },
};

describe.each(Object.entries(PROJECTS) as [RunnerName, (typeof PROJECTS)[RunnerName]][])(
  "a project with %s",
  (runner, { files, example }) => {
    test("is set up, the example passes, and a second time changes nothing", async () => {
      const project = new Project(runner, runner === "node-test" ? ["lib"] : []);
      const { folder } = project;
      write(folder, files);
      const first = await init(folder, "--yes");
      expect([first.code, first.stderr]).toEqual([0, ""]);
      const made = filesIn(folder);
      const wanted = [...Object.keys(files), "mcp-vcr.config.yaml", "cassettes/example.yaml", example];
      expect(Object.keys(made).sort()).toEqual(wanted.sort());
      expect(made["cassettes/example.yaml"]).toBe(readFileSync("src/setup/example/example.yaml", "utf8"));

      const second = await init(folder, "--yes");
      expect([second.code, second.stderr]).toEqual([0, ""]);
      expect(second.stdout.toString()).toContain("\nNothing to write.\n");
      expect(second.stdout.toString()).not.toMatch(/^(wrote|changed)/m);
      expect(filesIn(folder)).toEqual(made);

      // The same with another city, which was not recorded, and with a name of its own.
      const bergen = (made[example] ?? "").replace("for Oslo", "for Bergen").replaceAll('"Oslo"', '"Bergen"');
      writeFileSync(join(folder, example.replace("mcp-example", "bergen")), bergen);
      const { results } = await project.run([], { CI: "true" });
      const missed =
        /No recorded exchange answers tools\/call forecast\.[\s\S]*recorded "Oslo", asked "Bergen"/;
      expect(Object.keys(results)).toHaveLength(2);
      expect(results["the forecast for Oslo"]).toEqual([]);
      expect(results["the forecast for Bergen"]?.join("\n")).toMatch(missed);
    });
  },
);

test("the script records the server of a client's configuration", async () => {
  const { folder } = new Project("node-test", []);
  write(folder, PROJECTS["node-test"].files);
  cpSync("test/fixtures/projects/lib/weather.mjs", join(folder, "weather.js"));
  await init(folder, "--yes");
  const { scripts } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const [program, ...args] = scripts.record.split(" ");
  expect(program).toBe("mcp-vcr");
  const recorded = await run([CLI, ...args], { cwd: folder });
  expect([recorded.code, existsSync(join(folder, "cassettes/weather.yaml"))]).toEqual([0, true]);
});

describe("other folders", () => {
  test("a project in Python gets configuration and cassette, which are good", async () => {
    const folder = tempFolder();
    write(folder, { "pyproject.toml": "", "agent.py": "" });
    const { code, stdout, stderr } = await init(folder, "--yes");
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout.toString()).toContain("let your tests in Python start it");
    const made = filesIn(folder);
    expect(Object.keys(made).sort()).toEqual([
      "agent.py",
      "cassettes/example.yaml",
      "mcp-vcr.config.yaml",
      "pyproject.toml",
    ]);
    const second = await init(folder);
    expect([second.code, filesIn(folder)]).toEqual([0, made]);
    const checked = await run([CLI, "check", "cassettes/example.yaml"], { cwd: folder });
    expect([checked.code, checked.stderr]).toEqual([0, ""]);
    const served = await run([CLI, "serve", "cassettes/example.yaml"], { cwd: folder });
    expect([served.code, served.stderr]).toEqual([0, ""]);
  });

  test("one in Python with a package.json for the command's sake gets no test either", async () => {
    const folder = tempFolder();
    write(folder, { "pyproject.toml": "", "package.json": { devDependencies: { "mcp-vcr": "*" } } });
    const { code, stdout, stderr } = await init(folder, "--yes");
    expect([code, existsSync(join(folder, "test"))]).toEqual([0, false]);
    expect(stderr).toMatch(/^mcp-vcr: no example test is written: Python has no entry of its own\./);
    expect(stdout.toString()).toContain("let your tests in Python start it");
  });

  test("a dry run writes nothing, and shows all", async () => {
    const folder = tempFolder();
    write(folder, { "package.json": "{}" });
    const { code, stdout } = await init(folder, "--dry-run", "--runner", "jest");
    expect([code, Object.keys(filesIn(folder))]).toEqual([0, ["package.json"]]);
    expect(stdout.toString()).toContain("would write test/mcp-example.test.mjs: an example test for jest\n");
    expect(stdout.toString()).toContain('\n    import { useCassette } from "mcp-vcr/jest";\n');
    expect(stdout.toString()).toContain("\n    mcp-vcr: 1\n");
  });

  test("one with a runner that has no entry gets no test, unless one is asked for", async () => {
    const folder = tempFolder();
    write(folder, { "package.json": { devDependencies: { mocha: "11" } } });
    const { code, stderr } = await init(folder, "--yes");
    expect([code, existsSync(join(folder, "test"))]).toEqual([0, false]);
    expect(stderr).toMatch(/^mcp-vcr: no example test is written: mocha has no entry of its own\..*--runner/);
    await init(folder, "--runner", "node-test");
    expect(existsSync(join(folder, "test/mcp-example.test.mjs"))).toBe(true);
  });

  test.each([
    [
      "a broken package.json",
      { "package.json": '{\n  "name": "a",\n}\n' },
      ".",
      "mcp-vcr: package.json:3:1: no valid JSON: a key in double quotes was expected here\n",
    ],
    [
      "a folder inside of a project",
      { "package.json": "{}", ".git/HEAD": "", "src/agent/a.js": "" },
      "src/agent",
      "mcp-vcr: no package.json is in this folder, but one above it\nNothing was written. Go there, and run it again: cd ../..\n",
    ],
    [
      "a file where a folder should be",
      { "package.json": "{}", cassettes: "", "mcp-vcr.config.yaml": "" },
      ".",
      "mcp-vcr: cassettes/example.yaml cannot be written: ",
    ],
  ])("%s is told, and left as it is", async (_what, files, inside, said) => {
    const folder = tempFolder();
    write(folder, files);
    const before = filesIn(folder);
    const { code, stderr } = await init(join(folder, inside), "--yes");
    expect([code, filesIn(folder)]).toEqual([2, before]);
    expect(stderr).toContain(said);
  });
});

describe("on a terminal", () => {
  const RUNNER = "Which test runner is the example for? vitest, jest, node:test, none [node:test]:";
  const SERVER = 'Which server does the script "record" record? weather, other, none [weather]:';
  const WRITE = "Write that? [Y]es, [n]o:";

  async function asked(typed: readonly Typed[], ...flags: readonly string[]) {
    const folder = tempFolder();
    write(folder, {
      "package.json": "{}",
      ".mcp.json": { mcpServers: { ...WEATHER, other: { command: "other" } } },
    });
    const { code, shown } = await onTerminal([CLI, "init", ...flags], folder, typed);
    return { code, shown, files: filesIn(folder) };
  }

  test("it asks what it cannot see, once more where it does not understand, and then whether to write", async () => {
    const { code, shown, files } = await asked([
      [RUNNER, "mocha\r"],
      [RUNNER, "vitest\r"],
      [SERVER, "other\r"],
      [WRITE, "\r"],
    ]);
    expect([code, Object.keys(files)]).toEqual([0, expect.arrayContaining(["test/mcp-example.test.mjs"])]);
    expect(shown).toContain("wrote test/mcp-example.test.mjs: an example test for vitest");
    expect(files["package.json"]).toContain("-o cassettes/other.yaml -- other");
  });

  test.each(["n\r", "\u0004"])("nothing is written after the answer %j", async (answer) => {
    const { code, shown, files } = await asked([
      [RUNNER, "\r"],
      [SERVER, "none\r"],
      [WRITE, answer],
    ]);
    expect([code, Object.keys(files).sort()]).toEqual([0, [".mcp.json", "package.json"]]);
    expect(shown).toContain("Nothing was written.");
  });

  test("with --yes it asks nothing", async () => {
    const { code, shown, files } = await asked([], "--yes");
    expect([code, files["package.json"]]).toEqual([0, expect.stringContaining("-- node weather.js")]);
    expect(shown).not.toContain("?");
  });
});
