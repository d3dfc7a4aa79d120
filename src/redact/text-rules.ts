import { findAssignments } from "./assignments.ts";
import { findCommonShapes, type ShapeFinder } from "./common-shapes.ts";
import { replaceStrikes, type Seal, type Strike } from "./placeholder.ts";
import { TRIGGERS } from "./triggers.ts";
import { findUrlCredentials } from "./url-credentials.ts";

/** Credentials in running text: log lines, documents, headers, bodies of forms. */
export function redactText(text: string, seal: Seal, shapes: ShapeFinder): string {
  return replaceStrikes(
    text,
    [
      ...findAssignments(text),
      ...findSchemes(text),
      ...findUrlCredentials(text),
      ...(SHAPE_START.test(text) ? [...findCommonShapes(text), ...shapes(text)] : []),
    ],
    seal,
  );
}

/** One pass that spares some twenty: no shape begins otherwise. */
const SHAPE_START = new RegExp(
  TRIGGERS.filter(({ kind }) => kind === "shape")
    .map(({ word }) => word.replaceAll(".", "\\."))
    .join("|"),
  "i",
);

const BEARER = /(?<![A-Za-z0-9])Bearer[ \t]+([A-Za-z0-9._~+/-]{16,}=*)(?![=\w])/gi;
const BASIC = /(?<![A-Za-z0-9])Basic[ \t]+([A-Za-z0-9+/]{8,}={0,2})(?![\w=])/gi;

/** `Bearer …` and `Basic …` (https://datatracker.ietf.org/doc/html/rfc6750, rfc7617) wherever they stand. */
function findSchemes(text: string): Strike[] {
  const bearers = [...text.matchAll(BEARER)].filter((match) => /\d|[a-z][A-Z]/.test(match[1] ?? ""));
  const basics = [...text.matchAll(BASIC)].filter((match) => isUserAndPassword(match[1] ?? ""));
  return [...bearers, ...basics].map((match) => {
    const end = match.index + match[0].length;
    return { start: end - (match[1]?.length ?? 0), end };
  });
}

function isUserAndPassword(base64: string): boolean {
  try {
    return atob(base64).includes(":");
  } catch {
    return false;
  }
}
