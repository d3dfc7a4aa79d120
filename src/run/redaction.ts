import type { Header } from "../exchange/entry.ts";
import type { ShapeFinder } from "../redact/common-shapes.ts";
import type { OwnRules } from "../redact/own-rules.ts";
import { createRedactor, DEFAULT_REDACT_KEY, type Redactor } from "../redact/redactor.ts";
import type { Redaction } from "../replay/playing.ts";
import { redactionBy } from "../replay/redaction.ts";
import { loadShapes } from "./secret-shapes.ts";

/**
 * The key of the hash in placeholders. It must be the same in every recording and replay of a cassette, or what a
 * client sends would no longer match; so it is no secret unless the user sets one. The hash is cut to 32 bits: enough
 * to tell secrets apart, too little to confirm a guess.
 */
const KEY_VARIABLE = "MCP_VCR_REDACT_KEY";

/**
 * @param own what the user says is secret besides
 * @param onStrike told of each secret that becomes a placeholder, by its rule
 */
export function openRedactor(own?: OwnRules, onStrike?: (rule: string) => void): Redactor {
  let shapes: ShapeFinder | undefined;
  return createRedactor({
    hash: hashOf,
    shapes: () => {
      shapes ??= loadShapes();
      return shapes;
    },
    own,
    onStrike,
  });
}

/** The digits of a placeholder. */
export function hashOf(text: string): string {
  const key = process.env[KEY_VARIABLE] || DEFAULT_REDACT_KEY;
  // Loaded when a secret is met: most sessions have none, and every start would wait for it.
  const { createHmac } = process.getBuiltinModule("node:crypto");
  return createHmac("sha256", key).update(text).digest("hex").slice(0, 8);
}

/** What a recording's own redaction makes of a live message; undefined for a recording made without. */
export function redactionOf(header: Header, own?: OwnRules): Redaction | undefined {
  if (header.redacted === undefined || header.redacted.length === 0) return undefined;
  return redactionBy(openRedactor(own));
}
