import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createRedactor } from "../../../src/redact/redactor.ts";

const hash = (text: string): string => createHmac("sha256", "key").update(text).digest("hex");
const redactor = createRedactor({ hash, shapes: () => () => [] });
const GITHUB = `ghp_${"a1".repeat(18)}`;
const sealed = (secret: string): string => `[redacted:${hash(secret).slice(0, 8)}]`;

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const json = (text: string): string => textOf(redactor.json(bytesOf(text)));
const text = (line: string): string => textOf(redactor.text(bytesOf(line)));

describe("JSON", () => {
  test("between the cookies of a cookie's text, the rules of any text hold", () => {
    const cookie = `AKIAMMVX3V3WOZ4QDIWO a=b1234567; password: hunter2xyz; ${GITHUB}`;
    expect(json(JSON.stringify({ sessionCookies: cookie }))).toBe(
      `{"sessionCookies":"${sealed("AKIAMMVX3V3WOZ4QDIWO")} a=${sealed("b1234567")}; password: ${sealed("hunter2xyz")}; ${sealed(GITHUB)}"}`,
    );
  });

  test("clean bytes come back as the same object", () => {
    for (const clean of [
      '{"a":1}',
      '[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
      '{"description":"a token, say"}',
      "7",
    ]) {
      const bytes = bytesOf(clean);
      expect(redactor.json(bytes)).toBe(bytes);
    }
  });

  test("every byte outside of a secret stays: white space, escapes, numbers, order, duplicates", () => {
    const before = String.raw`{ "n" : 1.0,"big":9007199254740993, "e":"\u00e9\/é", "password":"p", "a":1,"a":2 , "l":[ ] }`;
    expect(json(before)).toBe(before.replace('"p"', `"${sealed("p")}"`));
  });

  test("an escaped secret under an escaped key is the same secret", () => {
    expect(json(String.raw`{"pass\u0077ord":"hunt\u0065r2"}`)).toBe(
      String.raw`{"pass\u0077ord":"${sealed("hunter2")}"}`,
    );
  });

  test("escapes before and inside of what the rules look for", () => {
    const p = sealed("hunter2");
    expect(json(String.raw`["\npwd: hunter2","\u000apwd: hunter2"]`)).toBe(
      String.raw`["\npwd: ${p}","\npwd: ${p}"]`,
    );
    expect(json(String.raw`["https:\/\/u:hunter2@h\/","https:/\/u:hunter2@h"]`)).toBe(
      `["https://u:${p}@h/","https://u:${p}@h"]`,
    );
  });

  test("numbers of four digits and more are secrets, however they are spelt", () => {
    expect(json('{"token":12345,"otp":1.2345e4,"pwd":"12345","pass":123}')).toBe(
      `{"token":"${sealed("12345")}","otp":"${sealed("12345")}","pwd":"${sealed("12345")}","pass":123}`,
    );
    expect(json('{"token":9007199254740993}')).toBe(`{"token":"${sealed("9007199254740993")}"}`);
  });

  test.each([
    '""',
    "true",
    "null",
    '"true"',
    '"null"',
    '"none"',
    `"\${API_KEY}"`,
    '"{{ token }}"',
    '"***"',
    '"<your-key>"',
  ])("%s is no secret", (value) => {
    const before = `{"password":${value},"list":[${value}]}`;
    expect(json(before)).toBe(before);
  });

  test("lists under a credential's key hold credentials, objects are walked", () => {
    expect(
      json('{"tokens":["a"],"apiKeys":["a",["b"],{"x":"c","value":"d"}],"auth":{"user":"u","pass":"p"}}'),
    ).toBe(
      `{"tokens":["a"],"apiKeys":["${sealed("a")}",["${sealed("b")}"],{"x":"c","value":"${sealed("d")}"}],` +
        `"auth":{"user":"u","pass":"${sealed("p")}"}}`,
    );
  });

  test("names and values in any order", () => {
    expect(
      json('[{"name":"API_KEY","value":"a"},{"value":"b","key":"token"},{"name":"PATH","value":"c"}]'),
    ).toBe(
      `[{"name":"API_KEY","value":"${sealed("a")}"},{"value":"${sealed("b")}","key":"token"},{"name":"PATH","value":"c"}]`,
    );
    expect(json('[{"name":"token","value":"a","value":"b"}]')).not.toMatch(/"[ab]"/);
  });

  test("lists of pairs", () => {
    expect(
      json('{"form":[["user","u"],["password","hunter2"],[ "api_key" , "b" ],["token",12345678]]}'),
    ).toBe(
      `{"form":[["user","u"],["password","${sealed("hunter2")}"],[ "api_key" , "${sealed("b")}" ],` +
        `["token","${sealed("12345678")}"]]}`,
    );
  });

  test.each([
    '{"fields":["password","hunter2"]}',
    '[["password","token"],["token","string"],["Authorization","Content-Type"]]',
    '[["password","user","hunter2"],["password"],["user","password"],["password",["a"]]]',
    '[["password","The password to log in with"]]',
    '{"anyOf":[{"required":["password","user"]}]}',
  ])("what is no list of pairs with credentials: %s", (before) => {
    expect(json(before)).toBe(before);
  });

  test("schemas and prompts that speak of credentials stay whole", () => {
    const result = {
      tools: [
        {
          name: "login",
          description:
            "Log in with a password: any token, API key or Bearer token will do. See the auth section.",
          inputSchema: {
            type: "object",
            required: ["password", "token"],
            properties: {
              password: { type: "string", description: "The password.", minLength: 8 },
              token: { type: ["string", "null"], enum: ["a", "b"], default: null },
              api_key: true,
            },
            dependentRequired: { token: ["password"] },
          },
          annotations: { title: "Get secret" },
        },
      ],
      prompts: [{ name: "p", arguments: [{ name: "token", description: "The token", required: true }] }],
    };
    const before = JSON.stringify({ jsonrpc: "2.0", id: 1, result });
    expect(json(before)).toBe(before);
  });

  test("what the protocol reads stays, even where it looks like a credential", () => {
    const token = `eyJhbGciOiJIUzI1NiJ9.eyJwYWdlIjoyfQ.${"x".repeat(20)}`;
    const before = JSON.stringify([
      {
        jsonrpc: "2.0",
        id: "a-token=hunter22",
        method: "tools/call",
        params: { cursor: token, _meta: { progressToken: "a-token=hunter22" } },
      },
      { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: 123456, progress: 1 } },
      { jsonrpc: "2.0", id: 1, result: { nextCursor: token, requestState: token } },
      { jsonrpc: "2.0", id: 2, method: "sampling/createMessage", params: { maxTokens: 100000 } },
    ]);
    expect(json(before)).toBe(before);
    const deeper = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "x",
      params: { arguments: { cursor: token } },
    });
    expect(json(deeper)).not.toContain(token);
  });

  test("JSON in text keeps its formatting, and its own JSON in text too", () => {
    const inner = '{\n  "apiKey": "x",  "n": 1.0,\n  "body": "{\\"password\\": \\"y\\"}"\n}';
    const clean = (JSON.parse(json(JSON.stringify({ text: inner }))) as { text: string }).text;
    expect(clean).toBe(inner.replace('"x"', `"${sealed("x")}"`).replace('\\"y\\"', `\\"${sealed("y")}\\"`));
  });

  test("lone surrogates survive", () => {
    const before = String.raw`{"a":"\ud800 password=hunter22","b":"{\"x\":\"\ud800\",\"token\":\"abc\"}"}`;
    const after = json(before);
    expect(after).toContain(String.raw`\ud800 password=${sealed("hunter22")}`);
    expect(after).toContain(String.raw`{\"x\":\"\ud800\",\"token\":\"${sealed("abc")}\"}`);
  });

  test("depth does not matter", () => {
    const deep = 200_000;
    const before = `${"[".repeat(deep)}{"token":"abc"}${"]".repeat(deep)}`;
    expect(json(before)).toBe(before.replace('"abc"', `"${sealed("abc")}"`));
  });
});

/** Text before, and after with the secrets between «». */
const LINES: readonly string[] = [
  "Authorization: Bearer «x»",
  "authorization: Basic «dXNlcjpwYXNz»",
  "curl -H 'Authorization: Bearer «abc»' -H 'Cookie: sid=«abc»; t=«d»' -d x",
  "Set-Cookie: sid=«xyz»; Path=/; HttpOnly",
  "sent Bearer «abcdefghijklmnop1234» to it",
  "Basic «dXNlcjpwYXNzd29yZA==» was sent",
  'log {"apiKey": "«x»", "token":"«y»", "n": 1',
  String.raw`log {\"apiKey\": \"«x»\", \"n\": 1`,
  String.raw`log {\"a\":\"b\",\ntoken: «abc1234»\n`,
  'env [{"name": "API_KEY", "value": "«v»"}, {"name": "PATH", "value": "/bin"}] x',
  "API_KEY=«value»",
  'export DB_PASSWORD="«correct horse»"',
  "password: «hunter2»",
  "Password = «hunter2!»",
  "**Password**: «hunter22»",
  "`token`: «abc12345»",
  "API key: «AB12cd34»",
  "The password is in token: «abc12345».",
  "Server=x;User Id=sa;Password=«My.Pass1»;Database=d",
  "grant_type=refresh_token&refresh_token=«abc»&client_secret=«def»",
  "GET /cb?code=«0123456789abcdef»&state=1&access_token=«abc»#id_token=«x»",
  "https://s3/x?X-Amz-Credential=«AK%2F2026»&X-Amz-Signature=«0123456789abcdef0123»&X-Amz-Date=2026",
  "see postgres://bob:«p@ss»@db:5432/x and https://bob@host/",
  "https://«0123456789abcdef0123»@github.com/x https://«abc»:x-oauth-basic@github.com/y",
  "run --api-key «abc1234» --token=«x» --port 80",
  "-----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----".replace(/^.*$/s, "key «$&» end"),
  "«eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_»",
  "key «sk-proj-abcdefghij0123456789» and «AKIAABCDEFGHIJKLMNOP»",
  "the token: a short word",
  "no password: try again",
  "Tokens: 12345, max_tokens=4096, tokenCount: 123456",
  "const token = await getToken(); // token: string",
  "{ token: string; apiKey: process.env.API_KEY, password: config.db.password }",
  "auth: required, token: null, secret: true",
  "use --token to pass a token",
  "https://host:8080/path?a=b@c and mailto:a@b.c",
  "Bearer tokens are described in RFC 6750; Basic authentication in RFC 7617",
  'WWW-Authenticate: Bearer resource_metadata="https://h/.well-known/x", error="invalid_token"',
  "token_endpoint=https://host/token",
  "task-runner-with-a-long-name-0123456789",
  "password: [redacted:0123abcd] Bearer [redacted:0123abcd] https://a:[redacted:0123abcd]@h/?token=[redacted:0123abcd]",
];

describe("text", () => {
  test.each(LINES)("%s", (marked) => {
    const before = marked.replaceAll(/[«»]/g, "");
    const after = marked.replaceAll(/«(.*?)»/gs, (_, secret: string) => sealed(decodeURIComponent(secret)));
    expect(text(before)).toBe(after);
    expect(text(after)).toBe(after);
    expect((JSON.parse(json(JSON.stringify({ text: before }))) as { text: string }).text).toBe(after);
  });

  test("a whole body of JSON is treated as JSON", () => {
    expect(text('{"access_token":"abc","expires_in":3600}')).toBe(
      `{"access_token":"${sealed("abc")}","expires_in":3600}`,
    );
  });

  test("a cut body is searched as text", () => {
    expect(text('{"access_token":"abc')).toBe(`{"access_token":"${sealed("abc")}`);
  });

  test("what a placeholder uncovers is redacted in the same go", () => {
    const after = text("password=>AKIAABCDEFGHIJKLMNOP://");
    expect(text(after)).toBe(after);
  });

  test.each([
    ["a cut private key", `-----BEGIN PRIVATE KEY-----\n${"Ab1+".repeat(20)}\n${"Ab1+".repeat(5)}`, ""],
    [
      "words after the first line of a key",
      "-----BEGIN PRIVATE KEY----- is how a private key begins, in PEM",
      undefined,
    ],
  ])("%s", (_, line, rest) => {
    expect(text(line)).toBe(rest === undefined ? line : sealed(line));
  });

  test.each([
    ["backslashes", "\\".repeat(200_000)],
    ["first lines of keys", "-----BEGIN PRIVATE KEY-----".repeat(20_000)],
    ["letters", "a".repeat(500_000)],
    ["names and spaces", `secret${" ".repeat(30)}`.repeat(10_000)],
    ["addresses", "://a:b".repeat(50_000)],
  ])("long texts of %s take linear time", (_, filler) => {
    const line = `cookie: ${filler}\npassword=hunter22`;
    expect(text(line).endsWith(`\npassword=${sealed("hunter22")}`)).toBe(true);
    expect(json(JSON.stringify({ cookie: filler }))).toBe(`{"cookie":"${sealed(filler)}"}`);
  });

  test("clean bytes come back as the same object", () => {
    const bytes = bytesOf("ready on port 3000, token: none");
    expect(redactor.text(bytes)).toBe(bytes);
  });
});

describe("headers", () => {
  test.each([
    ["Authorization", "Bearer abc", `Bearer ${sealed("abc")}`],
    ["authorization", "abc", sealed("abc")],
    ["Proxy-Authorization", "Basic dTpw", `Basic ${sealed("dTpw")}`],
    ["Cookie", "a=b; c=d", `a=${sealed("b")}; c=${sealed("d")}`],
    ["Set-Cookie", "sid=b; Path=/; HttpOnly", `sid=${sealed("b")}; Path=/; HttpOnly`],
    ["Cookie", `${GITHUB}; a=b`, `${sealed(GITHUB)}; a=${sealed("b")}`],
    [
      "Set-Cookie",
      "a=b; Path=/; password=hunter22",
      `a=${sealed("b")}; Path=/; password=${sealed("hunter22")}`,
    ],
    ["X-Api-Key", "k", sealed("k")],
    ["x-auth-token", "k", sealed("k")],
    ["location", "/cb?access_token=k", `/cb?access_token=${sealed("k")}`],
    ["content-type", "application/json", "application/json"],
    [
      "mcp-session-id",
      `eyJhbGciOiJub25lIn0.eyJhIjoxfQ.${"a".repeat(9)}`,
      `eyJhbGciOiJub25lIn0.eyJhIjoxfQ.${"a".repeat(9)}`,
    ],
  ])("%s: %s", (name, value, expected) => {
    expect(redactor.header(name, value)).toBe(expected);
    expect(redactor.header(name, expected)).toBe(expected);
  });
});

describe("command lines", () => {
  test("flags, assignments and arguments", () => {
    const args = [
      "node",
      "s.js",
      "--api-key",
      "X",
      "--token=Y",
      "-t",
      "API_KEY=Z",
      "--password",
      "--verbose",
      "a=b",
      "--token-file",
      "f",
    ];
    expect(redactor.command(args)).toEqual([
      ...["node", "s.js", "--api-key", sealed("X"), `--token=${sealed("Y")}`, "-t", `API_KEY=${sealed("Z")}`],
      ...["--password", "--verbose", "a=b", "--token-file", "f"],
    ]);
    expect(redactor.command(["-H", "Authorization: Bearer abc", '{"env":{"API_KEY":"x"}}'])).toEqual([
      ...["-H", `Authorization: Bearer ${sealed("abc")}`, `{"env":{"API_KEY":"${sealed("x")}"}}`],
    ]);
  });
});

describe("URLs", () => {
  test("user information and parameters", () => {
    expect(redactor.url("https://u:p%40ss@host/mcp?api_key=abc&x=2")).toBe(
      `https://u:${sealed("p@ss")}@host/mcp?api_key=${sealed("abc")}&x=2`,
    );
    expect(redactor.url("/mcp?page=2&cursor=abcdef0123456789")).toBe("/mcp?page=2&cursor=abcdef0123456789");
  });
});

describe("placeholders", () => {
  test("one secret has one, wherever it stands", () => {
    const all = [
      redactor.header("authorization", "Bearer s3cr3tvalue0123456"),
      json('{"password":"s3cr3tvalue0123456"}'),
      text("Bearer s3cr3tvalue0123456"),
      redactor.url("https://u:s3cr3tvalue0123456@h/"),
      redactor.command(["--token", "s3cr3tvalue0123456"]).join(" "),
    ];
    for (const item of all) expect(item).toContain(sealed("s3cr3tvalue0123456"));
  });

  test("a hash that is none is refused", () => {
    const broken = createRedactor({ hash: () => "short", shapes: () => () => [] });
    expect(() => broken.header("authorization", "x")).toThrow(TypeError);
  });

  test("the rule set is asked only when a text may hold something", () => {
    let asked = 0;
    const counting = createRedactor({
      hash,
      shapes: () => {
        asked += 1;
        return (line) =>
          Array.from(line.matchAll(/hf_\w+/g), ({ index, 0: { length } }) => ({
            rule: "hf",
            start: index,
            end: index + length,
          }));
      },
    });
    counting.json(bytesOf('{"text":"hfx token= and so on","password":"x"}'));
    expect(asked).toBe(0);
    const token = `hf_${"aBcD".repeat(9)}`;
    expect(textOf(counting.json(bytesOf(`{"text":"${token}"}`)))).toBe(`{"text":"${sealed(token)}"}`);
  });
});
