import { Command, Option } from "commander";
import { openConfig } from "../config/open-config.ts";
import { RECORD_SETTINGS, settle } from "../config/settings.ts";
import { VcrError } from "../errors.ts";
import type { Source } from "../exchange/entry.ts";
import type { Era } from "../protocol/revisions.ts";
import type { RecordMode } from "../run/cassette-open.ts";
import type { DriveOrder } from "../run/drive-run.ts";
import { recordSession } from "../run/record-session.ts";
import { parseAddress } from "./address.ts";
import { defaultCassette } from "./cassette-name.ts";
import { HEADER_OPTION, type Headers, refuseHeaders } from "./header-option.ts";
import { CONFIG_OPTION, given } from "./options.ts";
import { serverOf } from "./server-source.ts";

interface RecordOptions {
  readonly output?: string;
  readonly mode: RecordMode;
  readonly url?: string;
  readonly listen: string;
  readonly drive?: string;
  readonly era?: Era;
  readonly header?: Headers;
  readonly config?: string;
}

const HELP = `
Over stdio, put it in front of the command that starts the server: client and
server see the bytes they would have seen without it. Over HTTP, it prints
{"url": …} on stdout when it is ready: give the client that URL instead of the
server's. It runs until Ctrl-C.

Examples:
  mcp-vcr record -- npx -y @modelcontextprotocol/server-everything
  mcp-vcr record -o cassettes/weather.yaml --mode all -- node weather.js
  mcp-vcr record -o cassettes/remote.jsonl --url https://example.com/mcp --listen 127.0.0.1:8080

Without a client, let the recorder be one: --drive auto asks for every list, page,
resource and prompt and calls the tools that only read; --drive FILE does the
steps of a file (docs/drive.md):
  mcp-vcr record --drive auto -- node weather.js
  mcp-vcr record --drive calls.yaml --url https://example.com/mcp --header "Authorization: Bearer $TOKEN"

Before anything is written, credential headers, values under credential-like
keys and known token shapes become placeholders. Look a cassette through before
you commit it all the same.`;

export function recordCommand(done: (exitCode: number) => void): Command {
  return new Command("record")
    .summary("record a real server while a client uses it")
    .description("Record a real server, started by COMMAND or behind a URL, while a client uses it.")
    .usage("[options] (-- COMMAND… | --url URL)")
    .passThroughOptions()
    .argument("[command...]", "the command that starts the server over stdio, after --")
    .option(
      "-o, --output <file>",
      "the cassette: .yaml for review, .jsonl for large recordings (default: cassettes/NAME.yaml)",
    )
    .addOption(
      new Option(
        "--mode <mode>",
        "once: refuse to touch an existing cassette; all: record it anew; append: go on after its end",
      )
        .choices(["once", "all", "append"])
        .default("once"),
    )
    .option("--url <url>", "record the server behind this URL (Streamable HTTP, or HTTP+SSE)")
    .option("--listen <host:port>", "with --url: where clients reach the recorder", "127.0.0.1:0")
    .option("--drive <file|auto>", "be the client: do the steps of a file, or walk discovery (auto)")
    .addOption(
      new Option("--era <era>", "with --drive: speak this era (default: what the server speaks)").choices([
        "legacy",
        "modern",
      ]),
    )
    .addOption(HEADER_OPTION("with --drive and --url"))
    .option(...CONFIG_OPTION)
    .addHelpText("after", HELP)
    .action(async (command: string[], options: RecordOptions, self: Command) => {
      const source = sourceOf(command, options.url);
      if (self.getOptionValueSource("listen") === "cli") refuseListen(source, options);
      const file = options.output ?? defaultCassette(source);
      const listen = parseAddress(options.listen);
      const drive = await driveOrder(source, options);
      const { config } = await openConfig(options.config);
      const flags = given(self, options);
      const { mode = options.mode } = settle(RECORD_SETTINGS, {
        flags,
        environment: process.env,
        file: config.record,
      });
      done(await recordSession({ file, mode, source, listen, drive, redact: config.redact }));
    });
}

function refuseListen(source: Source, { drive }: RecordOptions): void {
  if (source.transport === "stdio") {
    throw new VcrError("usage", "--listen goes with --url: a command's server is recorded over stdio", {
      hint: "Leave --listen out, or name the server by --url.",
    });
  }
  if (drive !== undefined) {
    throw new VcrError("usage", "--listen is for clients, and with --drive the recorder is the client", {
      hint: "Leave --listen out, or --drive.",
    });
  }
}

async function driveOrder(
  source: Source,
  { drive, era, header }: RecordOptions,
): Promise<DriveOrder | undefined> {
  if (drive === undefined) {
    if (era !== undefined) throw withoutDrive("--era", "chooses its era itself");
    if (header !== undefined)
      throw withoutDrive("--header", "sends its headers itself, and they are passed on");
    return undefined;
  }
  refuseHeaders(source, header);
  const { loadPlan } = await import("../run/drive-plan.ts");
  return { plan: loadPlan(drive), era, headers: header };
}

function withoutDrive(flag: string, does: string): VcrError {
  return new VcrError("usage", `${flag} goes with --drive: a client of its own ${does}`);
}

function sourceOf(command: readonly string[], url: string | undefined): Source {
  const server = serverOf(command, url);
  if (server) return server;
  throw new VcrError("usage", "nothing to record: no server was named", {
    hint: "Name its command, mcp-vcr record -- node server.js, or its URL, mcp-vcr record --url https://example.com/mcp",
  });
}
