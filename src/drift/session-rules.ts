import type { DriftRule } from "./rule.ts";

/** What else the server sent, and what was compared at all. */
export const SESSION_RULES = {
  "notification-missing": {
    layer: "behaviour",
    classes: ["risky", "info"],
    title: "A notification no longer comes",
    reason: "Clients that wait for it wait for ever. Log lines are info.",
  },
  "notification-extra": {
    layer: "behaviour",
    classes: ["compatible", "info"],
    title: "A notification comes in addition",
    reason: "Clients must cope. Log lines are info.",
  },
  "notification-changed": {
    layer: "behaviour",
    classes: ["risky"],
    title: "A notification says something else",
    reason: "Clients act upon what it says.",
  },
  "notification-order-changed": {
    layer: "behaviour",
    classes: ["compatible", "info"],
    title: "Notifications come in another order",
    reason: "The protocol promises none.",
  },
  "server-request-added": {
    layer: "behaviour",
    classes: ["risky", "breaking"],
    title: "The server asks the client something new",
    reason: "Somebody has to answer it. Breaking where the client did not declare that it can.",
  },
  "server-request-removed": {
    layer: "behaviour",
    classes: ["risky"],
    title: "The server no longer asks the client",
    reason: "What people used to confirm or provide may now be done without them.",
  },
  "server-request-changed": {
    layer: "behaviour",
    classes: ["risky"],
    title: "The server asks the client something else",
    reason: "Answers that fitted the old question may not fit the new one.",
  },
  "exchange-missing": {
    layer: "behaviour",
    classes: ["risky"],
    title: "A request was not made again",
    reason: "Nothing is known about how it would be answered.",
  },
  "exchange-added": {
    layer: "behaviour",
    classes: ["info"],
    title: "A request was made for the first time",
    reason: "There is nothing to compare its answer with.",
  },
  "post-refused": {
    layer: "behaviour",
    classes: ["breaking"],
    title: "What is no request is refused over HTTP",
    reason:
      "A notification, an answer to a question of the server, or a cancellation was accepted before. Clients take the refusal for an error of the connection.",
  },
  "post-accepted": {
    layer: "behaviour",
    classes: ["compatible"],
    title: "What is no request is no longer refused over HTTP",
    reason: "Nobody relies on a failure, unless a test does.",
  },
  "list-unsteady": {
    layer: "session",
    classes: ["risky"],
    title: "A list is answered in several ways within the new recording",
    reason: "Clients that ask once may miss what is there. The last whole list is the one that is compared.",
  },
  "transport-changed": {
    layer: "session",
    classes: ["info"],
    title: "Recorded over another transport",
    reason: "The protocol is the same over all of them.",
  },
  "era-changed": {
    layer: "session",
    classes: ["info"],
    title: "Recorded in another era",
    reason:
      "Client and server met in another era of the protocol, so answers differ in what the eras differ in.",
  },
  "session-id-changed": {
    layer: "session",
    classes: ["compatible"],
    title: "The server began, or ceased, to give session ids",
    reason: "Clients must cope with either.",
  },
  "response-form-changed": {
    layer: "session",
    classes: ["compatible"],
    title: "Answers come as an event stream rather than JSON, or the other way round",
    reason: "Clients must support both.",
  },
  "stream-refused": {
    layer: "session",
    classes: ["breaking", "risky"],
    title: "The GET of a standalone stream is refused",
    reason:
      "Clients take it for an error of the connection, and what the server says on its own account reaches nobody. Risky where it is 405 now, which says that there is no such stream, or was refused otherwise before.",
  },
  "stream-opened": {
    layer: "session",
    classes: ["info"],
    title: "The GET of a standalone stream is no longer refused",
    reason: "Clients that do without it go on to.",
  },
  "noise-added": {
    layer: "session",
    classes: ["breaking", "risky"],
    title: "The server sends what is no message",
    reason:
      "Nothing but messages may stand on its stdout and in its event streams; many a client fails on anything else. Risky where the client had ended by then.",
  },
  "noise-gone": {
    layer: "session",
    classes: ["compatible"],
    title: "The server no longer sends what is no message",
    reason: "Clients that coped with it need not.",
  },
  "batch-added": {
    layer: "session",
    classes: ["breaking", "risky"],
    title: "The server sends batches",
    reason: "No revision but 2025-03-26 has them, so clients fail. Risky where that one was spoken.",
  },
  "answer-unasked": {
    layer: "behaviour",
    classes: ["risky"],
    title: "An answer comes that nothing waits for",
    reason:
      "A second one to a request, or one to a request that nobody made. Clients take it for an error of the connection, or for the answer to another request.",
  },
  "exit-changed": {
    layer: "session",
    classes: ["risky", "breaking", "compatible"],
    title: "The server's process ends otherwise",
    reason:
      "Whoever runs it takes another exit code or signal for a failure. Breaking where it failed before its client had ended; compatible where it ends well now.",
  },
  "cassette-added": {
    layer: "session",
    classes: ["info"],
    title: "A cassette is new",
    reason: "There is nothing to compare it with.",
  },
  "cassette-removed": {
    layer: "session",
    classes: ["risky"],
    title: "A cassette is gone",
    reason: "What it recorded is not looked at any more.",
  },
  "cassette-renamed": {
    layer: "session",
    classes: ["info"],
    title: "A cassette has another name",
    reason: "It was compared with what it was called before.",
  },
} as const satisfies Record<string, DriftRule>;
