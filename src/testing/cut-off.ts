import { VcrError } from "../errors.ts";
import type { OnTruncated } from "../replay/cassette-bytes.ts";

/** A test is not to pass, or to wait, with a cassette of which something is missing. @throws VcrError `cassette-invalid` */
export const refuseCutOff: OnTruncated = (_message, { place, reason }) => {
  throw new VcrError("cassette-invalid", `the last entry is cut off (${reason})`, {
    place,
    hint: "Complete it, or delete it from that line on; a .yaml cassette ends with a line `...`. To record anew, delete the file.",
  });
};
