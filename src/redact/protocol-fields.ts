/** Where in a JSON-RPC message an object stands; `other` is everything that the protocol does not look into. */
export type Zone = "batch" | "message" | "body" | "meta" | "other";

/**
 * Fields the protocol itself reads, whose values are handed back as they came or tell messages apart
 * (https://modelcontextprotocol.io/specification). Redacting one would break a session's replay.
 */
const PROTOCOL_FIELDS: Readonly<Record<Zone, ReadonlySet<string>>> = {
  batch: new Set(),
  message: new Set(["jsonrpc", "id", "method"]),
  body: new Set([
    "cursor",
    "nextCursor",
    "requestState",
    "requestId",
    "progressToken",
    "protocolVersion",
    "taskId",
    "elicitationId",
  ]),
  meta: new Set([
    "progressToken",
    "io.modelcontextprotocol/subscriptionId",
    "io.modelcontextprotocol/protocolVersion",
  ]),
  other: new Set(),
};

/** Of these, the ones that only tell messages apart or are compared: equal ones stay equal where a shape is struck. */
const LABELS = new Set(["id", "method", "requestId", "progressToken"]);

/** Whether a protocol field may lose a known token shape. Cursors and states may not: they often are such shapes. */
export function isLabel(key: string | undefined): boolean {
  return key !== undefined && LABELS.has(key);
}

/** Which zone begins under which key. */
const ZONES: Readonly<Partial<Record<Zone, Readonly<Record<string, Zone>>>>> = {
  message: { params: "body", result: "body" },
  body: { _meta: "meta" },
};

export function isProtocolField(zone: Zone, key: string | undefined): boolean {
  return key !== undefined && PROTOCOL_FIELDS[zone].has(key);
}

/** Zone of the outermost container. */
export function rootZone(root: "message" | "other", isObject: boolean): Zone {
  if (root === "other") return "other";
  return isObject ? "message" : "batch";
}

/** Zone of a container in its parent. */
export function zoneUnder(
  parent: { readonly zone: Zone; readonly key: string | undefined },
  isObject: boolean,
): Zone {
  if (!isObject) return "other";
  if (parent.zone === "batch") return "message";
  const zones = ZONES[parent.zone];
  return (
    (zones && parent.key !== undefined && Object.hasOwn(zones, parent.key) && zones[parent.key]) || "other"
  );
}
