import { expect, test } from "vitest";
import { forwardHeaders, headerValue, headerValues } from "../../../src/transport/http-proxy-headers.ts";

const same = (_: string, value: string): string => value;

test("values are found whatever the case, in order", () => {
  const raw = ["A", "1", "b", "2", "a", "3"];
  expect([...headerValues(raw, "a")]).toEqual(["1", "3"]);
  expect(headerValue(raw, "b")).toBe("2");
  expect(headerValue(raw, "c")).toBeUndefined();
});

test("what Connection lists is dropped, but never a message's framing or addressee", () => {
  const raw = [
    ...["Connection", "close, X-One,content-length"],
    ...["Host", "h", "X-One", "1", "X-Two", "2", "Content-Length", "3"],
    ...["connection", "host , x-three", "X-Three", "3", "Trailer", "x", "Transfer-Encoding", "chunked"],
  ];
  expect(forwardHeaders(raw, same)).toEqual([
    ...["Host", "h", "X-Two", "2", "Content-Length", "3", "Transfer-Encoding", "chunked"],
  ]);
});

test("values are rewritten by their lower-case name", () => {
  expect(forwardHeaders(["HoSt", "a", "X", "b"], (name, value) => `${name}=${value}`)).toEqual([
    ...["HoSt", "host=a", "X", "x=b"],
  ]);
});
