import type {
  Client as Client2,
  StreamableHTTPClientTransport as Http2,
  Transport as Transport2,
} from "@modelcontextprotocol/client";
import type { StdioClientTransport as Stdio2 } from "@modelcontextprotocol/client/stdio";
import type { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import type { StdioClientTransport as Stdio1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { StreamableHTTPClientTransport as Http1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { FetchLike, Transport as Transport1 } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { setupServer } from "msw/node";
import { describe, expectTypeOf, test } from "vitest";
import type { ClientTransport, JsonRpcMessage, Miss, Report, Tape, useCassette } from "../../src/index.ts";
import type { mcpHandlers } from "../../src/testing/msw.ts";

/** Judged by the compiler (`npm run types`); running it only shows that the names are there. */

type Connects<Client extends abstract new (...args: never[]) => { connect: (...args: never[]) => unknown }> =
  Parameters<InstanceType<Client>["connect"]>[0];

describe("a tape's transport", () => {
  test("is one to SDK 1.x", () => {
    expectTypeOf<ReturnType<Tape["transport"]>>().toExtend<Transport1>();
    expectTypeOf<ReturnType<Tape["transport"]>>().toExtend<Connects<typeof Client1>>();
  });

  test("is one to SDK 2.x", () => {
    expectTypeOf<ReturnType<Tape["transport"]>>().toExtend<Transport2>();
    expectTypeOf<ReturnType<Tape["transport"]>>().toExtend<Connects<typeof Client2>>();
  });

  test("hands over messages that can be looked into", () => {
    expectTypeOf<NonNullable<ClientTransport["onmessage"]>>().parameter(0).toEqualTypeOf<JsonRpcMessage>();
    expectTypeOf<JsonRpcMessage["params"]>().toEqualTypeOf<object | undefined>();
  });
});

describe("a tape's other doors", () => {
  test("fetch is one to both SDKs, and to whoever takes the global one's place", () => {
    expectTypeOf<Tape["fetch"]>().toExtend<FetchLike>();
    expectTypeOf<Tape["fetch"]>().toExtend<typeof fetch>();
    expectTypeOf<Tape["fetch"]>().toExtend<NonNullable<ConstructorParameters<typeof Http1>[1]>["fetch"]>();
    expectTypeOf<Tape["fetch"]>().toExtend<NonNullable<ConstructorParameters<typeof Http2>[1]>["fetch"]>();
  });

  test("command and args are what the SDKs start", () => {
    expectTypeOf<Pick<Tape, "command" | "args">>().toExtend<ConstructorParameters<typeof Stdio1>[0]>();
    expectTypeOf<Pick<Tape, "command" | "args">>().toExtend<ConstructorParameters<typeof Stdio2>[0]>();
  });

  test("url is to be waited for", () => {
    expectTypeOf<Tape["url"]>().toEqualTypeOf<Promise<string>>();
  });
});

test("msw's handlers take any tape, and are ones to msw", () => {
  expectTypeOf<Tape>().toExtend<Parameters<typeof mcpHandlers>[1]>();
  expectTypeOf<ReturnType<typeof mcpHandlers>>().toExtend<Parameters<typeof setupServer>>();
});

describe("what a tape tells", () => {
  test("is data that cannot be changed", () => {
    expectTypeOf<Tape["received"]>().toEqualTypeOf<readonly JsonRpcMessage[]>();
    expectTypeOf<Tape["misses"]>().toEqualTypeOf<readonly Miss[]>();
    expectTypeOf<Tape["unused"]>().toEqualTypeOf<Report["unused"]>();
    expectTypeOf<ReturnType<Tape["report"]>>().toEqualTypeOf<Report>();
  });

  test("it can be disposed of", () => {
    expectTypeOf<Tape>().toExtend<AsyncDisposable>();
  });
});

test("options are checked by name and type", () => {
  type Options = NonNullable<Parameters<typeof useCassette>[1]>;
  expectTypeOf<{ strict: true }>().toExtend<Options>();
  expectTypeOf<{ strict: "yes" }>().not.toExtend<Options>();
  expectTypeOf<{ server: ["node", "x.js"]; mode: "once"; pace: "10x,max=5s" }>().toExtend<Options>();
  expectTypeOf<{ server: URL }>().toExtend<Options>();
  expectTypeOf<{ pace: "fast" }>().not.toExtend<Options>();
  expectTypeOf<{ mode: "all" }>().not.toExtend<Options>();
  expectTypeOf<keyof Options>().toEqualTypeOf<
    "server" | "mode" | "folder" | "strict" | "pace" | "match" | "config" | "faults" | "misses" | "unused"
  >();
});
