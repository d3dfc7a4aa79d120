import { expect, test } from "vitest";
import { responseOf } from "../../../src/transport/fetch-door.ts";
import { PostAnswer } from "../../../src/transport/http-streams.ts";

const bytes = new TextEncoder().encode('{"jsonrpc":"2.0","id":1,"result":{}}');

test("what was said after a stream's end is not on it, but there for a client that comes back", async () => {
  const answer = new PostAnswer(["1"], false, () => undefined);
  answer.act({ type: "event", on: "1", event: { id: "a", retry: 50 } });
  answer.act({ type: "end", on: "1" });
  answer.act({ type: "outcome", bytes, on: "1", event: { id: "b" } });
  const response = responseOf(answer.respond({}, { style: "recorded", status: () => 200 }));
  expect(await response.text()).toBe("id: a\nretry: 50\ndata: \n\n");
  const resumed = responseOf(answer.resumeAfter("a", {}));
  answer.closeIfComplete();
  expect(await resumed.text()).toBe(`id: b\ndata: ${new TextDecoder().decode(bytes)}\n\n`);
});
