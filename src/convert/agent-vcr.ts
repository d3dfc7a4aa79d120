import type { Source } from "../exchange/entry.ts";
import { readMessage } from "../protocol/message.ts";
import { methodRow } from "../protocol/methods.ts";
import { type ForeignEntry, type ForeignRecording, isoOf, momentOf, Times } from "./foreign.ts";
import type { Piece } from "./piece.ts";

/**
 * A recording of agent-vcr, format 1 (https://github.com/Jarvis2021/agent-vcr, python/src/agent_vcr/core/format.py and
 * typescript/src/core/format.ts): pairs of request and response, each stamped when it was complete.
 * @note `direction` says `server_to_client` of every pair that was answered, so it tells nothing; the method does.
 */
export function readAgentVcr(root: Piece): ForeignRecording {
  const metadata = root.need("metadata");
  const session = root.need("session");
  const began = momentOf(metadata.need("recorded_at").text());
  const times = new Times();
  const entries: ForeignEntry[] = [
    { at: times.at(0), from: "client", raw: message(session.need("initialize_request")) },
    { at: times.at(0), from: "server", raw: message(session.need("initialize_response")) },
  ];
  for (const interaction of session.need("interactions").items()) {
    entries.push(...entriesOf(interaction, momentOf(interaction.need("timestamp").text()) - began, times));
  }
  return {
    recorded: isoOf(began),
    source: sourceOf(metadata),
    entries,
    notices: [
      "agent-vcr keeps requests with their answers: their order among each other, notifications of the client and " +
        "requests of the server are not in its recordings",
    ],
  };
}

function entriesOf(interaction: Piece, done: number, times: Times): ForeignEntry[] {
  const request = message(interaction.need("request"));
  const latency = interaction.find("latency_ms")?.number() ?? 0;
  const asker = senderOf(request);
  const other = asker === "client" ? "server" : "client";
  const asked = times.at(done - latency);
  const notices = interaction.find("notifications")?.items() ?? [];
  const response = interaction.find("response");
  const at = times.at(done);
  return [
    { at: asked, from: asker, raw: request },
    ...notices.map((notice): ForeignEntry => ({ at, from: "server", raw: message(notice) })),
    ...(response ? [{ at, from: other, raw: message(response) } as const] : []),
  ];
}

function senderOf(request: Uint8Array): "client" | "server" {
  const { method } = readMessage(request);
  return method !== undefined && methodRow(method)?.from === "server" ? "server" : "client";
}

/** Absent members are written as null. */
function message(piece: Piece): Uint8Array {
  return piece.withoutNulls(["params", "result", "error"]);
}

/** The command is a program with or without arguments; of a server over SSE nothing is told. */
function sourceOf(metadata: Piece): Source {
  const command = metadata.find("server_command")?.text();
  const args =
    metadata
      .find("server_args")
      ?.items()
      .map((arg) => arg.text()) ?? [];
  return {
    transport: "stdio",
    command: command === undefined ? ["agent-vcr"] : [...command.split(" "), ...args],
  };
}
