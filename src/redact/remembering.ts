import type { Redactor } from "./redactor.ts";

/** Headers remembered at once: many more than MCP has. */
const MOST_KNOWN = 256;

type Redact = (name: string, value: string) => string;

/**
 * The same redactor for one who meets the same headers and URLs time and again: what became of the last value of each
 * is known. Not for one who counts what strikes.
 */
export function remembering(redactor: Redactor): Redactor {
  const url = remembered((_, value) => redactor.url(value));
  return {
    ...redactor,
    header: remembered((name, value) => redactor.header(name, value)),
    url: (value) => url("", value),
  };
}

function remembered(redact: Redact): Redact {
  const last = new Map<string, { readonly value: string; readonly redacted: string }>();
  return (name, value) => {
    const known = last.get(name);
    if (known?.value === value) return known.redacted;
    const redacted = redact(name, value);
    if (last.size === MOST_KNOWN) last.clear();
    last.set(name, { value, redacted });
    return redacted;
  };
}
