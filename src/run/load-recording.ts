import { codecFor } from "../cassette/codecs.ts";
import { VcrError } from "../errors.ts";
import { CassetteText } from "../rerecord/cassette-text.ts";
import { readCassetteFile } from "./cassette-source.ts";
import { warn } from "./notices.ts";
import { withSpill } from "./spill.ts";

/**
 * A cassette file as a recording to be compared.
 * @param like the one that it will be compared with, where that is read already
 * @throws VcrError `cassette-missing`, `cassette-invalid`, `usage` for what is no cassette
 */
export async function loadRecording(file: string, like?: CassetteText): Promise<CassetteText> {
  const codec = await codecFor(file);
  return readRecording(file, withSpill(file, readCassetteFile(file), codec), like);
}

/**
 * The same of bytes that came from elsewhere.
 * @param name what people call it; its ending tells the codec
 */
export async function readRecording(
  name: string,
  bytes: Uint8Array,
  like?: CassetteText,
): Promise<CassetteText> {
  refuseScenario(name, bytes);
  const text = new CassetteText(bytes, { codec: await codecFor(name), file: name, like });
  if (text.truncated) warn(`${name}: the last entry is cut off and left out`);
  return text;
}

/** Bytes in which a scenario's first member is looked for. */
const HEAD = 4096;

function refuseScenario(name: string, bytes: Uint8Array): void {
  const head = new TextDecoder().decode(bytes.subarray(0, HEAD));
  if (!/^"?scenario"?\s*:|^\{\s*"scenario"\s*:/m.test(head) || /^mcp-vcr:/m.test(head)) return;
  throw new VcrError("usage", `${name} is a scenario, and no recording`, {
    hint: "What scenarios promise is compared by mcp-vcr diff OLD NEW.",
  });
}
