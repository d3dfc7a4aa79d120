import { describe, expect, test } from "vitest";
import { authorityOf, Origins } from "../../../src/transport/origin.ts";

const server = new URL("https://api.example.com/mcp?x");

test("an authority is spelt as URLs spell it", () => {
  expect(authorityOf({ host: "::1", port: 8 })).toBe("[::1]:8");
  expect(authorityOf({ host: "a.example", port: 80 })).toBe("a.example:80");
});

describe("what names the proxy", () => {
  test.each([
    ["127.0.0.1", 8080, ["127.0.0.1:8080", "localhost:8080", "[::1]:8080", "LOCALHOST:8080"]],
    ["::1", 8080, ["[::1]:8080", "localhost:8080"]],
    ["localhost", 80, ["localhost", "localhost:80", "127.0.0.1"]],
    ["0.0.0.0", 8080, ["127.0.0.1:8080", "0.0.0.0:8080", "localhost:8080"]],
    ["192.0.2.7", 8080, ["192.0.2.7:8080"]],
  ])("listening on %s:%i", (host, port, own) => {
    const origins = new Origins(server, { host, port });
    expect(own.filter((name) => !origins.owns(name))).toEqual([]);
    expect(own.map((name) => origins.hostForServer(name))).toEqual(own.map(() => "api.example.com"));
    expect(own.map((name) => origins.originForServer(`http://${name}`))).toEqual(
      own.map(() => "https://api.example.com"),
    );
  });

  test.each([
    ["127.0.0.1", "evil.example.com:8080"],
    ["127.0.0.1", "127.0.0.1"],
    ["127.0.0.1", "127.0.0.1:8081"],
    ["127.0.0.1", "192.0.2.7:8080"],
    ["192.0.2.7", "localhost:8080"],
    ["127.0.0.1", "api.example.com"],
  ])("listening on %s:8080 is not %s", (host, name) => {
    const origins = new Origins(server, { host, port: 8080 });
    expect(origins.hostForServer(name)).toBe(name);
    expect(origins.originForServer(`http://${name}`)).toBe(`http://${name}`);
  });

  test("a wildcard is told to clients as loopback", () => {
    expect(new Origins(server, { host: "0.0.0.0", port: 1 }).authority).toBe("127.0.0.1:1");
    expect(new Origins(server, { host: "::", port: 1 }).authority).toBe("[::1]:1");
  });
});

test.each([
  ["/mcp", "/mcp"],
  ["*", "*"],
  ["http://localhost:8080/a?b", "/a?b"],
  ["http://localhost:8080", "/"],
  ["http://localhost:8080?b", "/?b"],
  ["http://other:8080/a", "http://other:8080/a"],
])("the request target %s reaches the server as %s", (target, expected) => {
  expect(new Origins(server, { host: "localhost", port: 8080 }).pathForServer(target)).toBe(expected);
});

test.each([
  ["https://api.example.com/a b?c#d", "http://me:1/a b?c#d"],
  ["HTTPS://API.example.com:443", "http://me:1"],
  ["https://api.example.com?x", "http://me:1?x"],
  ["//api.example.com/a", "//me:1/a"],
  ["http://api.example.com/a", "http://api.example.com/a"],
  ["https://api.example.com:8443/a", "https://api.example.com:8443/a"],
  ["https://user@api.example.com.evil/a", "https://user@api.example.com.evil/a"],
  ["/a//api.example.com/", "/a//api.example.com/"],
  ["?next=https://api.example.com/", "?next=https://api.example.com/"],
  ["https://[/", "https://[/"],
  ["", ""],
])("%s is shown to the client as %s", (reference, expected) => {
  expect(new Origins(server, { host: "127.0.0.1", port: 1 }).forClient(reference, "me:1")).toBe(expected);
});
