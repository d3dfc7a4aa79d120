import { VcrError } from "../errors.ts";
import type { Source } from "../exchange/entry.ts";

/**
 * The real server that a command line names, if it names one.
 * @throws VcrError `usage`
 */
export function serverOf(command: readonly string[], url: string | undefined): Source | undefined {
  if (url !== undefined && command.length > 0) {
    throw new VcrError("usage", "give either --url or a command after --, not both");
  }
  if (url !== undefined) return { transport: "http", url: checkedUrl(url) };
  return command.length > 0 ? { transport: "stdio", command } : undefined;
}

function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && (url.username !== "" || url.password !== "")) {
    throw new VcrError("usage", "--url holds credentials, which would not reach the server", {
      hint: "Leave them out: what the client sends (its Authorization header, say) is passed on as it is.",
    });
  }
  if (url?.protocol === "http:" || url?.protocol === "https:") return text;
  throw new VcrError("usage", `--url ${text}: not an http or https URL`, {
    hint: "Give the whole URL of the MCP endpoint, such as https://example.com/mcp",
  });
}
