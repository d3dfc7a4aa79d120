import { finds } from "./finds.ts";
import type { Steps } from "./steps.ts";

/**
 * ajv's way to patterns (its option `code.regExp`), so that none takes long whatever it is and whatever it is tried on.
 * @param steps of whoever asks at the time; trying throws `TooComplex` when they are spent
 */
export function guarded(steps: () => Steps | undefined) {
  return Object.assign(
    (pattern: string, flags: string) => {
      const text = new RegExp(pattern, flags).toString();
      return { test: (value: string) => finds(pattern, value, steps()), toString: () => text };
    },
    { code: "regExp" },
  );
}
