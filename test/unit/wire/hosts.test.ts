import { expect, test } from "vitest";
import { isOwnHost, isOwnOrigin } from "../../../src/wire/hosts.ts";

const OWN = ["mcp.example.com:8443", "box", "[fe80::1]:80"];

test.each<[string | undefined, boolean]>([
  ["localhost:3000", true],
  ["LOCALHOST", true],
  ["127.0.0.1:80", true],
  ["[::1]:9", true],
  ["mcp.example.com:8443", true],
  ["MCP.example.com:8443", true],
  ["mcp.example.com", false],
  ["mcp.example.com:443", false],
  ["box", true],
  ["box:1234", true],
  ["[fe80::1]", true],
  ["evil.example.com", false],
  ["localhost.evil.example.com", false],
  ["127.0.0.1.evil.example.com", false],
  ["localhost@evil.example.com", false],
  ["evil.example.com:80@localhost", false],
  ["localhost:80:80", false],
  ["", false],
  [undefined, true],
])("host %j: %s", (host, own) => {
  expect(isOwnHost(host, OWN)).toBe(own);
});

test.each<[string | undefined, boolean]>([
  ["http://localhost:5173", true],
  ["https://127.0.0.1", true],
  ["http://[::1]:3000", true],
  ["https://mcp.example.com:8443", true],
  ["https://mcp.example.com", false],
  ["http://[fe80::1]", true],
  ["https://[fe80::1]", false],
  ["https://box", true],
  ["http://evil.example.com", false],
  ["http://localhost.evil.example.com", false],
  ["http://evil.example.com/localhost", false],
  ["localhost", false],
  ["file://", false],
  ["null", false],
  ["", true],
  [undefined, true],
])("origin %j: %s", (origin, own) => {
  expect(isOwnOrigin(origin, OWN)).toBe(own);
});
