import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempFolder } from "./support/cassette.ts";
import { HttpTalk } from "./support/http-talk.ts";
import { fixture, NODE, start } from "./support/program.ts";
import { Talk } from "./support/talk.ts";
import { LISTEN, record, serve } from "./support/walk.ts";

/** Secrets pass between client and server, and never reach the file; and a client that sends them is known again. */

const SERVER = fixture("servers/leaks-secrets.mjs");
const SECRETS: Readonly<Record<string, string>> = JSON.parse(
  execFileSync(NODE, [SERVER, "--list"], { encoding: "utf8" }),
);
/** What must not be found: of a key of several lines the lines between the first and the last. */
const NEEDLES = Object.entries(SECRETS).map(([name, secret]) => {
  const lines = secret.split("\n");
  return [name, lines.length > 1 ? (lines[1] ?? "") : secret] as const;
});
const CODECS = ["yaml", "jsonl"] as const;

/** Names of the secrets that a file holds, as they are or in another spelling. */
function secretsIn(file: string): string[] {
  const text = readFileSync(file, "latin1");
  const spellings = (secret: string) => [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString("base64").replace(/=+$/, "").slice(0, -1),
    Buffer.from(secret).toString("hex"),
  ];
  return NEEDLES.filter(([, secret]) => spellings(secret).some((spelling) => text.includes(spelling))).map(
    ([name]) => name,
  );
}

const secret = (name: string) => SECRETS[name] as string;

/** Calls whose arguments carry every secret, under names that tell and in text that does not. */
async function converse(talk: Talk): Promise<unknown[]> {
  await talk.initialize();
  const answers: unknown[] = [];
  for (const tool of ["keys", "text", "innocent", "error"]) answers.push(await talk.call(tool));
  for (const name of Object.keys(SECRETS).filter((name) => !UNTELLING.has(name))) {
    answers.push(await talk.call("echo", { value: `use ${secret(name)} for it` }));
  }
  const told = { password: secret("password"), api_key: secret("apiKey"), cookie: `sid=${secret("cookie")}` };
  answers.push(
    await talk.call("echo", { value: 1, ...told, headers: { authorization: `Bearer ${secret("bearer")}` } }),
  );
  answers.push(await talk.call("echo", { value: JSON.stringify({ nested: told }) }));
  answers.push(
    await talk.call("echo", { value: `postgres://ada:${secret("urlPassword")}@db.example.com/app` }),
  );
  return answers;
}

/** Without a telling name beside them these are just words: nothing could know them for secrets. */
const UNTELLING = new Set(["bearer", "password", "apiKey", "cookie", "urlPassword"]);

describe.each(CODECS)("over stdio, .%s", (codec) => {
  test("no secret reaches the file, all reach the client, and the same client is answered from it", async () => {
    const file = join(tempFolder(), `leaks.${codec}`);
    const live = new Talk(start(record(file, [SERVER])));
    const answers = await converse(live);
    // A batch with secrets, which this server does not answer.
    const { password, github } = { password: secret("password"), github: secret("github") };
    live.raw(
      `[{"jsonrpc":"2.0","method":"x","params":{"password":"${password}"}},{"jsonrpc":"2.0","method":"x","params":["${github}"]}]\n`,
    );
    live.raw(`{"jsonrpc":"2.0","method":"notifications/cut","params":{"api_key":"${secret("apiKey")}"}}\n`);
    const { code, stdout } = await live.program.finish();
    expect(code).toBe(0);
    const seen = JSON.stringify(answers);
    for (const [name, needle] of NEEDLES) expect(seen, name).toContain(needle);
    expect(stdout.toString()).toContain(`noise: Authorization: Bearer ${secret("bearer")}`);

    expect(secretsIn(file)).toEqual([]);
    const text = readFileSync(file, "utf8");
    expect(text).toContain("[redacted:");
    for (const kept of ["c2VjcmV0LWxvb2tpbmctY3Vyc29y", "https://auth.example.com/token", "token-1"]) {
      expect(text).toContain(kept);
    }

    const replay = new Talk(start(serve(file)));
    const again = await converse(replay);
    const { code: exit, stderr } = await replay.program.finish();
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    // What the server said, but for placeholders where the secrets were.
    expect(again).toHaveLength(answers.length);
    for (const [index, answer] of again.entries()) expectRedacted(answer, answers[index]);
    expect(again[2]).toEqual(answers[2]);
  });

  test("another secret than the recorded one is another question", async () => {
    const file = join(tempFolder(), `leaks.${codec}`);
    const live = new Talk(start(record(file, [SERVER])));
    await live.initialize();
    await live.call("echo", { value: 1, password: secret("password") });
    await live.call("echo", { value: 1, password: "another-Pa55w0rd" });
    await live.program.finish();
    const replay = new Talk(start(serve(file)));
    await replay.initialize();
    expect((await replay.call("echo", { value: 1, password: "another-Pa55w0rd" })).result).toBeDefined();
    const { error } = await replay.call("echo", { value: 1, password: "a-third-Pa55w0rd" });
    expect(error?.code).toBe(-32010);
    // Neither the answer nor what people read tells the secret that was asked with.
    const { code, stderr } = await replay.program.finish();
    expect(code).toBe(1);
    expect(stderr).toContain("No recorded exchange answers tools/call echo.");
    expect(JSON.stringify(error) + stderr).not.toContain("a-third-Pa55w0rd");
  });

  test("frames that are no single message are not passed over", async () => {
    const file = join(tempFolder(), `noise.${codec}`);
    const sum = `${file}.sum`;
    const program = start(record(file, [fixture("servers/echo-bytes.mjs"), sum]));
    const lines = NEEDLES.flatMap(([name]) => [
      `[{"jsonrpc":"2.0","method":"log","params":{"text":${JSON.stringify(`password=${secret(name)}`)}}}]`,
      `export DB_PASSWORD="${secret(name).split("\n").join("\\n")}"`,
      `{"jsonrpc":"2.0","cut":{"client_secret":${JSON.stringify(secret(name))},"more`,
      `{"password":${JSON.stringify(secret(name))}}\r`,
    ]);
    const input = `${lines.join("\n")}\nlast api_key=${secret("apiKey")}`;
    program.child.stdin.write(input);
    const { stdout } = await program.finish();
    expect(stdout.toString()).toBe(input);
    expect(secretsIn(file)).toEqual([]);
  });
});

/** Equal but for placeholders, each in the place of something. */
function expectRedacted(redacted: unknown, original: unknown): void {
  const pattern = JSON.stringify(redacted)
    .split(/\[redacted:[0-9a-f]+\]/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("[\\s\\S]+?");
  expect(JSON.stringify(original)).toMatch(new RegExp(`^${pattern}$`));
}

describe.each(CODECS)("over HTTP, .%s", (codec) => {
  const credentials = {
    authorization: `Bearer ${secret("bearer")}`,
    "x-api-key": secret("apiKey"),
    cookie: `sid=${secret("cookie")}; theme=dark`,
  };
  const session = async (url: string) => {
    const stranger = await new HttpTalk(url).post({
      jsonrpc: "2.0",
      id: 0,
      method: "initialize",
      params: {},
    });
    const talk = new HttpTalk(url, credentials);
    await talk.initialize();
    const plain = await talk.call("plain", { token: secret("gitlab"), text: `with ${secret("slack")}` });
    const stream = await talk.call("stream", { token: secret("stripe"), text: `with ${secret("npm")}` });
    return { stranger, plain, stream };
  };

  test("credentials are forwarded, and neither they nor other secrets reach the file", async () => {
    const file = join(tempFolder(), `leaks.${codec}`);
    const server = start([fixture("servers/leaks-secrets-http.mjs")]);
    const url = new URL(await server.url());
    url.searchParams.set("api_key", secret("google"));
    const recorder = start(record(file, { url: url.href }));
    const live = await session(await recorder.url());
    expect(live.stranger.status).toBe(401);
    expect(live.stranger.text).toContain(secret("apiKey"));
    for (const answer of [live.plain, live.stream]) {
      expect(answer.result.structuredContent.password).toBe(secret("password"));
      expect(answer.result.content[0].text).toContain(secret("github"));
    }
    expect((await recorder.stop()).code).toBe(0);
    await server.stop();

    expect(secretsIn(file)).toEqual([]);
    expect(readFileSync(file, "utf8")).toContain("[redacted:");

    const replay = start(serve(file, ...LISTEN));
    const again = await session(await replay.url());
    expect(again.stranger.status).toBe(401);
    expectRedacted(again.plain, live.plain);
    expectRedacted(again.stream, live.stream);
    const { code, stderr } = await replay.stop();
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });
});

test("secrets on the server's command line and in its URL do not reach the file", async () => {
  const folder = tempFolder();
  const file = join(folder, "command.yaml");
  const secrets = [
    "--token",
    secret("jwt"),
    `--password=${secret("password")}`,
    `API_KEY=${secret("apiKey")}`,
  ];
  const echo = start(record(file, [fixture("servers/echo-bytes.mjs"), join(folder, "sum"), ...secrets]));
  echo.child.stdin?.write('{"jsonrpc":"2.0","method":"hello"}\n');
  await echo.finish();
  expect(secretsIn(file)).toEqual([]);
  expect(readFileSync(file, "utf8")).toContain("echo-bytes.mjs");

  const web = join(folder, "url.yaml");
  const url = `http://127.0.0.1:9/mcp?access_token=${secret("google")}&page=2`;
  const recorder = start(record(web, { url }));
  await recorder.url();
  expect(secretsIn(web)).toEqual([]);
  expect(readFileSync(web, "utf8")).toContain("127.0.0.1:9/mcp");
  await recorder.stop();

  // What a URL's user information would have to become is a header, and headers are the client's to send.
  const refused = record(join(folder, "no.yaml"), {
    url: `http://ada:${secret("urlPassword")}@127.0.0.1:9/mcp`,
  });
  const { code, stderr } = await start(refused).finish();
  expect({ code, leaks: stderr.includes(secret("urlPassword")) }).toEqual({ code: 2, leaks: false });
});
