import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { tempFolder } from "./support/cassette.ts";
import { CLI, run } from "./support/program.ts";

const CASSETTES = readdirSync("cassettes").filter((name) => name.endsWith(".yaml"));

let folder = "";
const path = (name: string) => join(folder, name);
const diff = async (...args: string[]) => {
  const { code, stdout, stderr } = await run([CLI, "diff", ...args], { cwd: folder });
  return { code, stdout: stdout.toString(), stderr };
};

/** A copy of the weather server's recording, with some text in the place of another. */
function edited(name: string, ...edits: readonly (readonly [string | RegExp, string])[]): string {
  let text = readFileSync("cassettes/weather.yaml", "utf8");
  for (const [old, fresh] of edits) {
    expect(text).toMatch(old);
    text = text.replaceAll(old, fresh);
  }
  writeFileSync(path(name), text);
  return name;
}

const WARMER = ["3 °C, rain", "4 °C, rain"] as const;

beforeEach(() => {
  folder = tempFolder();
});

describe("two cassettes", () => {
  test.each(CASSETTES)("%s and itself: nothing", async (name) => {
    cpSync(join("cassettes", name), path(name));
    const { code, stdout, stderr } = await diff(name, name, "--fail-on", "any");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^no change(; |\n)\d+ exchanges.* and \d+ .*compared\n$/);
  });

  test("the same server over another transport", async () => {
    const [stdio, http] = ["everything.yaml", "everything-http.yaml"].map((name) =>
      join(process.cwd(), "cassettes", name),
    );
    const { code, stdout } = await diff(stdio as string, http as string, "--format", "json");
    expect(code).toBe(0);
    const rules = JSON.parse(stdout).comparisons[0].changes.map(({ rule }: { rule: string }) => rule);
    expect(rules).toEqual(["transport-changed"]);
  });

  test("another text, and other ids and times that do not count", async () => {
    edited("old.yaml");
    edited("new.yaml", WARMER, [/id: 2$/gm, "id: 222"], [/^at: \d+$/gm, "at: 7"]);
    const { code, stdout } = await diff("old.yaml", "new.yaml");
    expect(code).toBe(0);
    expect(stdout).toContain("RISKY (1)");
    expect(stdout).toContain('tools/call forecast {"city":"Oslo"}');
    expect(stdout).toContain("- 3 °C, rain\n      + 4 °C, rain\n");
    expect(stdout).not.toContain("\u001B");
  });

  test.each([
    ["2020-12", "https://json-schema.org/draft/2020-12/schema"],
    ["2019-09", "https://json-schema.org/draft/2019-09/schema"],
    ["draft-07", "http://json-schema.org/draft-07/schema#"],
  ])("a schema of %s that breaks callers, with a witness", async (_, dialect) => {
    const named = [
      "          type: object\n          properties: { city",
      `          $schema: ${dialect}\n          type: object\n          properties: { city`,
    ] as const;
    edited("old.yaml", named);
    edited("new.yaml", named, ["required: [city]", "required: [city, day]"]);
    const { code, stdout, stderr } = await diff("old.yaml", "new.yaml");
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(stdout).toContain("[input-required-added]");
    expect(stdout.replace(/\s+/g, " ")).toContain("must have required property 'day'");
  });

  test.each([
    ["breaking", 0],
    ["risky", 1],
    ["any", 1],
    ["never", 0],
  ])("--fail-on %s: exit code %i at a risky change", async (level, code) => {
    edited("old.yaml");
    edited("new.yaml", WARMER);
    expect((await diff("old.yaml", "new.yaml", "--fail-on", level)).code).toBe(code);
  });

  test("several reports at once", async () => {
    edited("old.yaml");
    edited("new.yaml", WARMER);
    const files = ["json=d.json", "markdown=d.md", "junit=d.xml", "sarif=d.sarif"];
    const flags = [...files, "github"].flatMap((format) => ["--format", format]);
    const { stdout } = await diff("old.yaml", "new.yaml", ...flags);
    expect(stdout).toMatch(/^::warning file=new\.yaml,title=answer-text-changed/);
    expect(JSON.parse(readFileSync(path("d.json"), "utf8")).verdict).toBe("risky");
    expect(readFileSync(path("d.md"), "utf8")).toMatch(/^### ⚠️ mcp-vcr: 1 risky change\n/);
    expect(readFileSync(path("d.xml"), "utf8")).toMatch(/^<\?xml/);
    expect(JSON.parse(readFileSync(path("d.sarif"), "utf8")).version).toBe("2.1.0");
  });

  test("nothing in common is no pass, whatever may fail", async () => {
    const [a, b] = ["memory.yaml", "filesystem.yaml"].map((name) => join(process.cwd(), "cassettes", name));
    const { code, stdout } = await diff(a as string, b as string, "--fail-on", "never");
    expect(code).toBe(1);
    expect(stdout).toContain("Nothing was compared");
  });
});

describe("what the configuration decides", () => {
  const decide = (text: string) => writeFileSync(path("mcp-vcr.config.yaml"), text);
  const accept = (more: string) =>
    decide(`drift: { accept: [{ rule: answer-text-changed, reason: it rains less, ${more} }] }`);

  beforeEach(() => {
    edited("old.yaml");
    edited("new.yaml", WARMER);
  });

  test("a place that may differ", async () => {
    decide("drift: { match: { tools/call forecast: { ignore: [/content/0/text, /structuredContent] } } }");
    const { code, stdout } = await diff("old.yaml", "new.yaml", "--fail-on", "any");
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/^no change/) });
  });

  test("an accepted change is shown apart, and fails nothing", async () => {
    accept("subject: 'tools/call forecast*', expires: 2999-12-31");
    const { code, stdout } = await diff("old.yaml", "new.yaml", "--fail-on", "any");
    expect(code).toBe(0);
    expect(stdout).toContain("ACCEPTED (1)");
    expect(stdout).toContain("accepted: it rains less (until 2999-12-31)");
    expect(stdout).toContain("no change, 1 accepted; ");
  });

  test.each([
    ["expired", "expires: 2020-01-01", "expired on 2020-01-01, so it counts again."],
    ["of another subject", "subject: tools/call radar", "on tools/call radar (it rains less)."],
  ])("one that is %s accepts nothing, and is named", async (_, more, says) => {
    accept(more);
    const { code, stdout } = await diff("old.yaml", "new.yaml", "--fail-on", "any", "--format", "json");
    expect(code).toBe(1);
    const { accepted, counts, notes } = JSON.parse(stdout);
    expect({ accepted, risky: counts.risky }).toEqual({ accepted: 0, risky: 1 });
    expect(notes).toEqual([expect.stringContaining(says)]);
  });

  test("a rule on answers is not called idle where only promises are compared", async () => {
    decide("drift: { match: { tools/call forecast: { ignore: [/content] } } }");
    writeFileSync(
      path("mock.scenario.yaml"),
      "scenario: 1\nserver: { name: m, version: 1.0.0 }\ntools: [{ name: t }]\n",
    );
    const { stdout } = await diff("mock.scenario.yaml", "mock.scenario.yaml", "--format", "json");
    expect(JSON.parse(stdout)).toMatchObject({
      verdict: "same",
      notes: [expect.stringContaining("Only what")],
    });
  });

  test("a wrong key ends it, with its place", async () => {
    writeFileSync(path("own.yaml"), "drift:\n  accepted: []\n");
    const { code, stderr } = await diff("old.yaml", "new.yaml", "--config", "own.yaml");
    expect(code).toBe(2);
    expect(stderr).toContain('own.yaml:2:3: drift has no key "accepted"; did you mean "accept"?');
  });
});

describe("what cannot be compared", () => {
  test.each([
    [2, "one is named", ["old.yaml"], "mcp-vcr diff OLD NEW"],
    [2, "three are named", ["old.yaml", "old.yaml", "old.yaml"], "and 3 are named"],
    [2, "three, and one of them a server", ["old.yaml", "old.yaml", "--", "node"], "and 3 are named"],
    [2, "a server and a revision", ["--base", "HEAD", "--", "node"], "not with a real server"],
    [2, "a header for no URL", ["old.yaml", "--header", "A: b", "--", "node"], "--header goes with --url"],
    [3, "a scenario with a mistake", ["old.yaml", "scenario.yaml"], "scenario.yaml:3:"],
    [4, "a server that does not start", ["old.yaml", "--", "no-such-program"], "there is no such program"],
    [4, "a server that is not there", ["old.yaml", "http://127.0.0.1:9/mcp"], "connection refused"],
    [2, "no cassette's name", ["old.yaml", "old.txt"], "must end in .yaml"],
    [2, "an unknown format", ["old.yaml", "old.yaml", "--format", "pdf"], "Formats: terminal, json"],
    [
      2,
      "two reports in one place",
      ["old.yaml", "old.yaml", "--format", "json", "--format", "github"],
      "standard output",
    ],
    [
      2,
      "a report over a cassette",
      ["old.yaml", "old.yaml", "--format", "json=./old.yaml"],
      "would overwrite",
    ],
    [2, "a report where none can be", ["old.yaml", "old.yaml", "--format", "json=no/such/folder"], "ENOENT"],
    [2, "an unknown class", ["old.yaml", "old.yaml", "--fail-on", "sometimes"], "Allowed choices"],
    [2, "no repository", ["--base", "HEAD"], "this is no git repository"],
    [3, "a file that is not there", ["old.yaml", "gone.yaml"], "gone.yaml: there is no such file"],
    [3, "a broken file", ["old.yaml", "broken.yaml"], "broken.yaml:"],
  ])("exit code %i: %s", async (code, _, args, says) => {
    edited("old.yaml");
    writeFileSync(path("broken.yaml"), "mcp-vcr: 1\nrecorded: never\n---\nfrom: nobody\n...\n");
    writeFileSync(path("scenario.yaml"), "scenario: 1\nserver: { name: x }\ntool: []\n");
    const ended = await diff(...args);
    expect(ended).toMatchObject({ code, stdout: "" });
    expect(ended.stderr).toContain(says);
    expect(readFileSync(path("old.yaml"), "utf8")).toBe(readFileSync("cassettes/weather.yaml", "utf8"));
  });
});

describe("in a git repository", () => {
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
    });

  beforeEach(() => {
    mkdirSync(path("cassettes"));
    for (const name of ["memory", "filesystem", "everything"]) {
      cpSync(`cassettes/${name}.yaml`, path(`cassettes/${name}.yaml`));
    }
    edited("cassettes/weather.yaml");
    git("init", "--quiet", "--initial-branch=main");
    git("add", "--all");
    git("commit", "--quiet", "--message=recorded");
  });

  test("--base: nothing changed", async () => {
    const { code, stdout } = await diff("--base", "main", "--fail-on", "any");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "no change; 4 cassettes compared\n" });
  });

  test("--base: changed, added, removed and renamed cassettes", async () => {
    edited("cassettes/weather.yaml", WARMER);
    rmSync(path("cassettes/memory.yaml"));
    git("mv", "cassettes/filesystem.yaml", "cassettes/files.yaml");
    renameSync(path("cassettes/everything.yaml"), path("cassettes/all.yaml"));
    edited("cassettes/new.yaml");
    writeFileSync(path("cassettes/notes.txt"), "no cassette");
    const { stdout } = await diff("--base", "HEAD", "--format", "json");
    const { comparisons, old, compared } = JSON.parse(stdout);
    expect(old).toBe("HEAD");
    expect(compared).toMatchObject({ cassettes: 3, exchanges: 8, tools: 3 });
    const told = comparisons.map(({ new: fresh, old: was, changes }: never) => [
      was,
      fresh,
      ...rulesOf(changes),
    ]);
    expect(told).toEqual([
      ["cassettes/everything.yaml", "cassettes/all.yaml", "cassette-renamed"],
      ["cassettes/filesystem.yaml", "cassettes/files.yaml", "cassette-renamed"],
      ["cassettes/memory.yaml", null, "cassette-removed"],
      [null, "cassettes/new.yaml", "cassette-added"],
      ["cassettes/weather.yaml", "cassettes/weather.yaml", "answer-text-changed"],
    ]);
  });

  test("--base: a file, a folder, and from within a folder", async () => {
    edited("cassettes/weather.yaml", WARMER);
    const counted = async (...args: string[]) =>
      JSON.parse((await diff("--base", "HEAD", "--format", "json", ...args)).stdout).compared;
    expect(await counted("cassettes/memory.yaml")).toEqual({ cassettes: 1 });
    expect(await counted("cassettes")).toMatchObject({ cassettes: 4, exchanges: 8, tools: 3 });
    const inside = await run([CLI, "diff", "--base", "HEAD", "weather.yaml"], { cwd: path("cassettes") });
    expect(inside.stdout.toString()).toContain("RISKY (1)");
  });

  test("--base: no cassette is no pass, and a revision that is none is named", async () => {
    mkdirSync(path("empty"));
    expect((await diff("--base", "HEAD", "empty")).code).toBe(1);
    const { code, stderr } = await diff("--base", "--output=x");
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("knows no such revision"),
    });
  });

  test("git install: git diff shows what changed, and hunks name their message", async () => {
    writeFileSync(path(".gitattributes"), "*.png binary");
    const install = () => run([CLI, "git", "install"], { cwd: folder });
    const { code, stdout } = await install();
    expect(code).toBe(0);
    expect(stdout.toString()).toContain("Undo: git config --remove-section diff.mcp-vcr");
    await install();
    expect(readFileSync(path(".gitattributes"), "utf8")).toBe(
      "*.png binary\ncassettes/**/*.yaml diff=mcp-vcr\ncassettes/**/*.jsonl diff=mcp-vcr\n",
    );
    edited("cassettes/weather.yaml", WARMER);
    writeFileSync(
      path("mcp-vcr.config.yaml"),
      "drift: { accept: [{ rule: answer-text-changed, reason: decided }] }",
    );
    expect(git("diff")).toContain("diff mcp-vcr cassettes/weather.yaml\nACCEPTED (1)");
    writeFileSync(path("mcp-vcr.config.yaml"), "drift: { accept: none }");
    expect(git("diff")).toContain("drift.accept must be a list");
    rmSync(path("mcp-vcr.config.yaml"));
    rmSync(path("cassettes/memory.yaml"));
    writeFileSync(path("cassettes/filesystem.yaml"), "broken");
    const shown = git("diff");
    expect(shown).toContain("diff mcp-vcr cassettes/weather.yaml\nRISKY (1)");
    expect(shown).toContain("diff mcp-vcr cassettes/memory.yaml\nThe cassette is gone.");
    expect(shown).toMatch(/diff mcp-vcr cassettes\/filesystem\.yaml\ncassettes\/filesystem\.yaml:1/);
    const text = git("diff", "--no-ext-diff", "cassettes/weather.yaml");
    expect(text).toMatch(/^@@ .* @@ (client|server): /m);
  });
});

function rulesOf(changes: readonly { readonly rule: string }[]): string[] {
  return changes.map(({ rule }) => rule);
}
