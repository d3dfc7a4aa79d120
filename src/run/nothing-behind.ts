import { noEntries } from "../replay/no-entries.ts";
import { Recording } from "../replay/recording.ts";
import { VERSION } from "../version.ts";

/** The recording of a player that a scenario answers for: nobody recorded that. */
export function nothingBehind(): Recording {
  return new Recording(
    noEntries({
      recorded: new Date(0).toISOString(),
      recorder: `mcp-vcr/${VERSION}`,
      source: { transport: "stdio", command: [] },
    }),
  );
}
