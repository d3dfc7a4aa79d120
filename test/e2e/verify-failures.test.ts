import {
  chmodSync,
  existsSync,
  lstatSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { CLI, leftBehind, NODE, run, start } from "./support/program.ts";
import { later, recordedFolder, ruled } from "./support/verify.ts";
import { everyday, PATIENCE_MS, record } from "./support/walk.ts";

/** `verify` where something stands in its way, or in the cassette's: what it leaves out, and what it leaves alone. */

const { path, verify } = recordedFolder();

describe("tools that may change things", () => {
  test("are not called unasked, which is told and not compared", async () => {
    const { code, withheld, compared } = await verify("legacy.yaml", later("legacy", "writes"));
    expect(code).toBe(0);
    const reason = "not annotated readOnlyHint: true, and not allowed";
    expect(withheld).toEqual([
      { subject: "tools/call echo", reason },
      { subject: "tools/call ask_name", reason },
    ]);
    expect(compared.exchanges).toBe(1);
  });
});

describe("--update", () => {
  const copied = (name: string, ...edits: readonly (readonly [string | RegExp, string])[]) => {
    const text = edits.reduce(
      (all, [old, fresh]) => all.replace(old, fresh),
      readFileSync(path("legacy.yaml"), "utf8"),
    );
    writeFileSync(path(name), text);
    return text;
  };

  test("puts in what changed, and leaves what did not and what was not asked again", async () => {
    // As it was recorded from a server that answered otherwise.
    const before = copied("old.yaml", [
      "[{ type: text, text: Good morning }]",
      "[{ type: text, text: Good evening }]",
    ]);
    const verified = await verify("old.yaml", later("legacy"), "--update");
    expect(ruled(verified)).toEqual(["risky answer-text-changed"]);
    expect(verified.withheld).toHaveLength(1);
    expect({ code: verified.code, stderr: verified.stderr }).toEqual({
      code: 0,
      stderr: `mcp-vcr: ${path("old.yaml")} is up to date\n`,
    });
    expect(before).toContain("Good evening");
    const after = readFileSync(path("old.yaml"), "utf8").replace(/^recorded: .*$/m, "");
    expect(after).toBe(readFileSync(path("legacy.yaml"), "utf8").replace(/^recorded: .*$/m, ""));
  });

  test("leaves what may differ as it was recorded", async () => {
    const told = ["[{ type: text, text: Good morning }]", "[{ type: text, text: Good evening }]"] as const;
    const before = copied("forgiven.yaml", told);
    writeFileSync(path("may.yaml"), "drift: { match: { tools/call echo: { ignore: [/content/0/text] } } }\n");
    const flags = ["--update", "--yes", "--config", path("may.yaml")];
    const verified = await verify("forgiven.yaml", later("legacy"), ...flags);
    expect(verified).toMatchObject({ code: 0, changes: [], notes: [] });
    expect(before).toContain("Good evening");
    expect(readFileSync(path("forgiven.yaml"), "utf8")).toBe(before);
    // What differs besides is put in, with what comes with it.
    writeFileSync(
      path("forgiven.yaml"),
      before.replaceAll("Good evening }]", "Good evening }, { type: text, text: B }]"),
    );
    expect(ruled(await verify("forgiven.yaml", later("legacy"), ...flags))).toEqual([
      "risky answer-member-removed",
    ]);
    expect(readFileSync(path("forgiven.yaml"), "utf8")).not.toContain("Good evening");
  });

  test("goes through a symbolic link, and nobody else may read the cassette afterwards", async () => {
    copied("real.yaml", ["[{ type: text, text: Good morning }]", "[{ type: text, text: Good evening }]"]);
    chmodSync(path("real.yaml"), 0o600);
    symlinkSync("real.yaml", path("link.yaml"));
    expect((await verify("link.yaml", later("legacy"), "--update")).code).toBe(0);
    expect(lstatSync(path("link.yaml")).isSymbolicLink()).toBe(true);
    expect(readFileSync(path("real.yaml"), "utf8")).not.toContain("Good evening");
    expect(statSync(path("real.yaml")).mode & 0o777).toBe(0o600);
  });

  test("refuses what it could not keep, before it asks anything", async () => {
    const text = copied("crlf.yaml", [/\n/g, "\r\n"]);
    copied("two.yaml", [/$/, text.replaceAll("\r\n", "\n")]);
    for (const [name, why] of [
      ["crlf.yaml", "end in CR LF"],
      ["two.yaml", "several recordings one after the other"],
    ] as const) {
      const before = readFileSync(path(name), "utf8");
      const { code, stderr } = await verify(name, later("legacy"), "--update");
      expect({ code, told: stderr.includes(why) }).toEqual({ code: 2, told: true });
      expect(readFileSync(path(name), "utf8")).toBe(before);
    }
  });

  test("leaves the cassette alone where the server failed, or did not answer", async () => {
    const before = copied("kept.yaml");
    const [dead, silent] = await Promise.all([
      verify("kept.yaml", later("legacy", "dies"), "--update"),
      verify("kept.yaml", later("legacy", "hangs"), "--update", "--timeout", "2s"),
    ]);
    // One that does not answer is drift, not a failure.
    expect({ dead: dead.code, silent: silent.code }).toEqual({ dead: 4, silent: 1 });
    expect(ruled(silent)).toEqual(["breaking answer-gone"]);
    expect(silent.stderr).toContain("was not brought up to date: not every request got an answer");
    expect(readFileSync(path("kept.yaml"), "utf8")).toBe(before);
  });
});

describe("a server that fails: exit code 4", () => {
  test("it does not start", async () => {
    const { code, stderr, verdict } = await verify("legacy.yaml", later("legacy", "no-start"));
    expect({ code, verdict }).toEqual({ code: 4, verdict: "none" });
    expect(stderr).toContain("the server ended with exit code 3, before all was asked");
    expect(stderr).toContain("Error: no database at db:5432");
  });

  test("there is none", async () => {
    const { code, stderr } = await verify("legacy.yaml", ["http://127.0.0.1:9/mcp"]);
    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining("could not be reached") });
  });

  test("it dies: what was compared until then is reported", async () => {
    const verified = await verify("legacy.yaml", later("legacy", "dies"));
    expect({ code: verified.code, rules: ruled(verified) }).toEqual({
      code: 4,
      rules: ["breaking answer-gone", "breaking exit-changed"],
    });
    expect(verified.stderr).toContain("fatal: out of memory");
    expect(verified.withheld.map(({ subject }) => subject)).toEqual([
      "tools/call ask_name",
      "tools/call add",
    ]);
  });
});

describe("secrets", () => {
  test("stand in requests again where they are known, and are left out elsewhere", async () => {
    const env = { API_TOKEN: "correct horse battery staple" };
    writeFileSync(path("mcp-vcr.config.yaml"), "redact: { env: [API_TOKEN] }\n");
    const call = { call: "echo", arguments: { text: `I say ${env.API_TOKEN}` } };
    writeFileSync(path("secret.json"), JSON.stringify([{ list: "tools" }, call]));
    const config = ["--config", path("mcp-vcr.config.yaml")];
    const drive = ["--drive", path("secret.json"), "--era", "legacy", ...config];
    const recording = run(record(path("secret.yaml"), everyday("legacy", "stdio"), ...drive), { env });
    expect(await recording).toMatchObject({ code: 0 });
    expect(readFileSync(path("secret.yaml"), "utf8")).not.toContain("horse");
    const [known, unknown] = await Promise.all([
      verify("secret.yaml", { server: later("legacy"), env }, ...config),
      verify("secret.yaml", later("legacy"), ...config),
    ]);
    expect(known).toMatchObject({ code: 0, changes: [], withheld: [], compared: { exchanges: 1 } });
    expect(unknown).toMatchObject({
      code: 0,
      withheld: [{ subject: "tools/call echo", reason: "holds a secret that was redacted" }],
      compared: { exchanges: 0, tools: 21 },
    });
  });

  test("that an HTTP server wants are given by --header", async () => {
    const real = start(everyday("legacy", "http"));
    const guarded = await guard(new URL(await real.url()));
    const header = ["--header", "Authorization: Bearer tiger"];
    const [known, unknown] = await Promise.all([
      verify("legacy.yaml", [guarded], "--yes", ...header),
      verify("legacy.yaml", [guarded], "--yes"),
    ]);
    expect({ code: known.code, rules: ruled(known) }).toEqual({ code: 0, rules: ["info transport-changed"] });
    expect(unknown.code).toBe(1);
    expect(unknown.notes).toContain(
      "the server answered with HTTP status 401: give it credentials with --header",
    );
  });
});

/** A server before a server, which lets in who has the password. Resolves to its URL. */
async function guard(to: URL): Promise<string> {
  const server = createServer((incoming, response) => {
    if (incoming.headers.authorization !== "Bearer tiger") return void response.writeHead(401).end();
    const { method = "", headers } = incoming;
    const passed = request(to, { method, headers: { ...headers, host: to.host } }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    response.on("close", () => passed.destroy());
    incoming.pipe(passed);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${to.pathname}`;
}

test("interrupted: exit code 1, what was compared until then, and nothing left running", async () => {
  const args = ["verify", path("legacy.yaml"), "--", NODE, ...later("legacy", "hangs")];
  const hangs = path("hangs");
  const program = start([CLI, ...args], { env: { HANGS: hangs } });
  await vi.waitUntil(() => existsSync(hangs), { timeout: PATIENCE_MS });
  const { code, stdout } = await program.stop("SIGINT");
  expect(code).toBe(1);
  expect(stdout.toString()).toContain("not compared (interrupted)");
  expect(leftBehind(program)).toEqual([]);
});

describe("wrong usage: exit code 2", () => {
  test.each([
    ["no server", [], "none was named"],
    ["two servers", ["--url", "http://127.0.0.1/mcp", "--", "node"], "not both"],
    ["a header over stdio", ["--header", "A: b", "--", "node"], "--header goes with --url"],
    ["no header", ["--header", "A", "--url", "http://127.0.0.1/mcp"], "not a header"],
    ["no time", ["--timeout", "soon", "--", "node"], "such as 500ms"],
    ["no factor", ["--slower", "much", "--", "node"], "--slower 3x"],
  ])("%s", async (_name, flags, says) => {
    const { code, stderr } = await run([CLI, "verify", path("legacy.yaml"), ...flags]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(says) });
  });
});
