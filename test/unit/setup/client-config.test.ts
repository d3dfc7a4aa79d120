import { describe, expect, test } from "vitest";
import { knownServers } from "../../../src/setup/client-config.ts";
import { clientLines, recordables, recordScript } from "../../../src/setup/recording.ts";
import { folderOf } from "./folder.ts";

const serversOf = (entry: object, file = ".mcp.json", member = "mcpServers") =>
  knownServers(folderOf({ [file]: JSON.stringify({ [member]: { weather: entry } }) }));

const recordable = (entry: object, isSecret = false) => {
  const [server] = recordables(serversOf(entry).servers, () => isSecret);
  if (!server) throw new Error("no server");
  return server;
};

describe("servers of clients", () => {
  test.each([
    [".mcp.json", "mcpServers"],
    [".cursor/mcp.json", "mcpServers"],
    [".vscode/mcp.json", "servers"],
    [".gemini/settings.json", "mcpServers"],
    ["claude_desktop_config.json", "mcpServers"],
    ["mcp.json", "servers"],
  ])("%s, under %s", (file, member) => {
    expect(serversOf({ command: "node", args: ["a.js"], env: { KEY: "x" } }, file, member)).toEqual({
      servers: [
        {
          name: "weather",
          file,
          member: "command",
          reach: { command: ["node", "a.js"] },
          env: ["KEY"],
          headers: [],
        },
      ],
      notices: [],
    });
  });

  test.each(["url", "httpUrl", "serverUrl"])("behind a URL, as %s", (member) => {
    const { servers } = serversOf({
      type: "http",
      [member]: "https://x.example/mcp",
      headers: { "X-Key": "a" },
    });
    expect(servers).toMatchObject([{ member, reach: { url: "https://x.example/mcp" }, headers: ["X-Key"] }]);
  });

  test("comments and commas at the end, as editors have them", () => {
    const text = `{
      // "servers": {},
      "servers": { "a": { "command": "x//y", /* , } */ "args": ["/*", "\\"//",], }, },
    }`;
    expect(knownServers(folderOf({ ".vscode/mcp.json": text }))).toMatchObject({
      servers: [{ name: "a", reach: { command: ["x//y", "/*", '"//'] } }],
      notices: [],
    });
  });

  test("the same server in several files is one, another of its name is not", () => {
    const of = (command: string) => JSON.stringify({ mcpServers: { weather: { command } } });
    const files = { ".mcp.json": of("a"), ".cursor/mcp.json": of("a"), ".roo/mcp.json": of("b") };
    const { servers } = knownServers(folderOf(files));
    expect(servers.map(({ file }) => file)).toEqual([".mcp.json", ".roo/mcp.json"]);
    const cassettes = recordables(servers, () => false).map(({ cassette }) => cassette);
    expect(cassettes).toEqual(["cassettes/weather.yaml", "cassettes/weather-2.yaml"]);
  });

  test.each([
    [{ command: "npx", args: ["mcp-vcr", "serve", "a.yaml"] }, []],
    [{ command: "/x/node_modules/.bin/mcp-vcr" }, []],
    [{}, ['.mcp.json: the server "weather" has neither a command nor a URL; it is left out']],
    [
      { command: "x", args: "y" },
      ['.mcp.json: the server "weather" has args that are no list of texts; it is left out'],
    ],
    [
      { url: "https://${HOST}/mcp" },
      [
        '.mcp.json: the server "weather" has a URL with variables, which its client alone knows; it is left out',
      ],
    ],
    [
      { url: "x.example/mcp" },
      ['.mcp.json: the server "weather" has a URL that is no whole one of http or https; it is left out'],
    ],
    [null as unknown as object, ['.mcp.json: the server "weather" is no object; it is left out']],
  ])("%j is left out", (entry, notices) => {
    expect(serversOf(entry)).toEqual({ servers: [], notices });
  });

  test("a broken file is told with the place, and the others count", () => {
    const files = {
      ".mcp.json": '{\n  "mcpServers": }',
      ".cursor/mcp.json": '{"mcpServers":{"a":{"command":"b"}}}',
    };
    expect(knownServers(folderOf(files))).toMatchObject({
      servers: [{ name: "a" }],
      notices: [".mcp.json:2:17: no valid JSON: a value was expected here; its servers are left out"],
    });
    expect(knownServers(folderOf({ ".mcp.json": '{"mcpServers": 1}' }))).toEqual({
      servers: [],
      notices: [],
    });
  });
});

describe("the script", () => {
  test.each([
    [{ command: "node", args: ["weather.js"] }, "-- node weather.js"],
    [{ command: "npx", args: ["-y", "@scope/a@1", "two words"] }, '-- npx -y @scope/a@1 "two words"'],
    [{ url: "https://x.example/mcp?a=1&b=2" }, '--url "https://x.example/mcp?a=1&b=2"'],
  ])("%j", (entry, target) => {
    const command = `mcp-vcr record --drive auto -o cassettes/weather.yaml ${target}`;
    expect(recordScript(recordable(entry))).toEqual({ command });
  });

  test.each([
    [{ command: "node", args: ["${workspaceFolder}/a.js"] }, false, /holds one of/],
    [{ command: "C:\\node.exe" }, false, /holds one of/],
    [{ url: "https://x.example/mcp", headers: { Authorization: "x" } }, false, /headers \(Authorization\)/],
    [{ command: "a", args: ["--token", "s3cret"] }, true, /credentials/],
  ])("there is none for %j", (entry, isSecret, why) => {
    expect(recordScript(recordable(entry, isSecret))).toEqual({ why: expect.stringMatching(why) });
  });

  test("cassettes have names that are file names, and none is the example's", () => {
    const servers = ["../a b", "example", "…", "A-b"].map((name) => ({
      ...recordable({ command: "x" }),
      name,
    }));
    expect(recordables(servers, () => false).map(({ cassette }) => cassette)).toEqual([
      "cassettes/a-b.yaml",
      "cassettes/example-2.yaml",
      "cassettes/server.yaml",
      "cassettes/A-b-2.yaml",
    ]);
  });
});

describe("the lines for clients", () => {
  const lines = (entry: object, isSecret = false, manager: "npm" | "yarn" | "pnpm" = "npm") =>
    clientLines(recordable(entry, isSecret), { root: "/home/me/agent", manager });

  test("a command", () => {
    expect(
      lines({ command: "node", args: ["weather.js"] }),
    ).toBe(`Record "weather" with its client: until that is done, let .mcp.json say
  "command": "npx",
  "args": ["mcp-vcr", "record", "-o", "/home/me/agent/cassettes/weather.yaml", "--", "node", "weather.js"]`);
    expect(lines({ command: "node" }, false, "pnpm")).toContain(
      '"command": "pnpm",\n  "args": ["exec", "mcp-vcr", ',
    );
    // yarn 1 would print lines of its own among the server's.
    expect(lines({ command: "node" }, false, "yarn")).toContain('"command": "npx"');
  });

  test("a URL", () => {
    expect(lines({ httpUrl: "https://x.example/a/mcp?b=c" })).toBe(`Record "weather" with its client: start
  npx mcp-vcr record -o cassettes/weather.yaml --url 'https://x.example/a/mcp?b=c' --listen 127.0.0.1:8080
and until that is done, let .mcp.json say
  "httpUrl": "http://127.0.0.1:8080/a/mcp?b=c"`);
  });

  test("what is secret is not shown once more", () => {
    expect(lines({ command: "a", args: ["--token", "s3cret"] }, true)).not.toContain("s3cret");
    expect(lines({ url: "https://x.example/s3cret?key=s3cret" }, true)).not.toContain("s3cret");
  });
});
