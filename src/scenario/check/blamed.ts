import { type FilePlace, formatPlace, VcrError } from "../../errors.ts";

/**
 * Checks something that one file says and another has changed: what no longer fits is then told of both.
 * @param overridden where the file that extends says something of it
 */
export function blamed(overridden: FilePlace | undefined, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof VcrError) || !error.place || !overridden) throw error;
    const { code, place, message, hint } = error;
    if (place.file === overridden.file) throw error;
    const also = `What ${place.file} says is changed at ${formatPlace(overridden)}: mend either.`;
    throw new VcrError(code, message.slice(formatPlace(place).length + 2), {
      place,
      hint: hint === undefined ? also : `${hint}\n${also}`,
      cause: error,
    });
  }
}
