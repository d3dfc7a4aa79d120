import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createRedactor } from "../../../src/redact/redactor.ts";

const hash = (text: string): string => createHmac("sha256", "key").update(text).digest("hex");
const redactor = createRedactor({ hash, shapes: () => () => [] });
const sealed = (secret: string): string => `[redacted:${hash(secret).slice(0, 8)}]`;

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const json = (text: string): string => textOf(redactor.json(bytesOf(text)));
const text = (line: string): string => textOf(redactor.text(bytesOf(line)));

const GITHUB = `ghp_${"a1".repeat(18)}`;
const OTHER = `ghp_${"b2".repeat(18)}`;

describe("what only looks like a credential", () => {
  test.each([
    '{"pwd":"/home/me"}',
    '{"PWD":"/home/me"}',
    '{"pwd":"~/x"}',
    String.raw`{"pwd":"C:\\Users\\me"}`,
    '{"name":"PWD","value":"/home/me"}',
    '{"text":"pwd=/home/x"}',
    '{"text":"see {\\"pwd\\": \\"/home/x\\""}',
    '{"cancellationToken":"abc123def"}',
    '{"cancelToken":"abc123def"}',
    '{"credentialId":"c1"}',
    '{"name":"password","value":"the field called password"}',
    '{"text":"see {\\"name\\":\\"password\\",\\"value\\":\\"the field called password\\""}',
    '{"pass":"ok"}',
    '{"text":"<password>the new password of the user</password> <token>none</token> <title>abc12345</title>"}',
    '{"required":["x-api-key","city"],"enum":["--token","x"]}',
    '["Authorization","Content-Type","Cookie","X-Api-Key","Accept"]',
    '["authorization","query","password","hunter22"]',
    '["--token","--verbose","--password","a password to log in with"]',
    '["--token",{},"abc12345"]',
    '{"text":"curl -u $USER:$PASS https://h/ and curl https://h:80/ -u bob"}',
  ])("%s", (line) => {
    expect(json(line)).toBe(line);
  });

  test.each(["pwd=/home/x", "PWD=/home/me/work", "export PWD=~/x", "?pwd=%2Fhome"])("%s", (line) => {
    expect(text(line)).toBe(line);
    expect(redactor.command([line])).toEqual([line]);
  });

  test.each(['{"pwd":"«x9»"}', '{"pass":"«okay1»"}', '{"name":"password","value":"«correct horse staple»"}'])(
    "but not %s",
    (marked) => {
      expect(json(marked.replaceAll(/[«»]/g, ""))).toBe(
        marked.replaceAll(/«(.*?)»/g, (_, x: string) => sealed(x)),
      );
    },
  );
});

describe("token shapes", () => {
  test("in keys, each a key of its own", () => {
    expect(json(`{"${GITHUB}": 1,"x ${OTHER}":{"a":2}}`)).toBe(
      `{"${sealed(GITHUB)}": 1,"x ${sealed(OTHER)}":{"a":2}}`,
    );
    const long = "y ".repeat(300);
    expect(json(`{"${long}${GITHUB}":1}`)).toBe(`{"${long}${sealed(GITHUB)}":1}`);
  });

  test("in what tells messages apart, the same in all of them", () => {
    const messages = (token: string): string =>
      JSON.stringify([
        { jsonrpc: "2.0", id: token, method: token, params: { _meta: { progressToken: token } } },
        { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: token } },
        { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: token } },
        { jsonrpc: "2.0", id: token, result: {} },
      ]);
    expect(json(messages(GITHUB))).toBe(messages(sealed(GITHUB)));
    for (const plain of ["password=hunter22", "a-token"]) expect(json(messages(plain))).toBe(messages(plain));
  });

  test("of Hugging Face, of any length", () => {
    const token = `hf_${"aB3".repeat(10)}`;
    expect(json(`["${token}"]`)).toBe(`["${sealed(token)}"]`);
  });
});

describe("places", () => {
  test.each([
    '{"args":["--token","«SECRET»","--port","80"]}',
    '{"args":["--password","«correct horse»","-x"]}',
    '{"command":["x","--api-key=«SECRET»","--password=«correct horse»"]}',
    '["X-Api-Key","«abcdef»","Cookie","sid=«abc»","Proxy-Authorization","Basic «dTpw»","Accept","*/*"]',
    '["host","h","authorization","Bearer «abc»","Private-Token","«abc12»"]',
    '{"text":"<password>«PW»</password>"}',
    '{"text":"<wsse:Password Type=\'x\'>«PW»</wsse:Password> <a/>"}',
    '{"text":"curl -u user:«PW»"}',
    '{"text":"curl -s \\\\\\n --user \'user:«PW»\' https://h/"}',
  ])("%s", (marked) => {
    const before = marked.replaceAll(/[«»]/g, "");
    const after = marked.replaceAll(/«(.*?)»/g, (_, secret: string) => sealed(secret));
    expect(json(before)).toBe(after);
    expect(json(after)).toBe(after);
    const wrapped = (JSON.parse(json(JSON.stringify({ text: before }))) as { text: string }).text;
    expect(wrapped).toBe(after);
  });
});
