import { memberAt, rowOf } from "../member.ts";
import type { JsonValue, Side } from "../message.ts";
import { methodRow, senderOf } from "../methods.ts";
import { revisionOf } from "../revisions.ts";
import { isObject, type ShapeFault, shapeFault } from "./shape.ts";
import { isModern, MODERN_META, modernResult, PARAMS, resultShape } from "./shapes.ts";

/** What breaks JSON-RPC 2.0 in a message, whatever its revision (https://www.jsonrpc.org/specification). */
export function envelopeFault(message: JsonValue): ShapeFault | undefined {
  if (!isObject(message)) return { path: [], message: "is no JSON-RPC message" };
  if (message.jsonrpc !== "2.0") return { path: ["jsonrpc"], message: 'must be "2.0"' };
  return Object.hasOwn(message, "method") ? askFault(message) : answerFault(message);
}

type Members = { [key: string]: JsonValue };

function askFault(message: Members): ShapeFault | undefined {
  const { params } = message;
  if (typeof message.method !== "string") return { path: ["method"], message: "must be text" };
  if (Object.hasOwn(message, "id") && !isId(message.id)) {
    return { path: ["id"], message: "of a request must be text or a whole number" };
  }
  if (params !== undefined && !isObject(params)) return { path: ["params"], message: "must be an object" };
  return undefined;
}

function answerFault(message: Members): ShapeFault | undefined {
  const { result, error } = message;
  if ((result === undefined) === (error === undefined)) {
    return { path: [], message: "must hold either a result or an error" };
  }
  if (error !== undefined) return shapeFault(error, { code: "integer", message: "string" }, ["error"]);
  if (!isId(message.id)) return { path: ["id"], message: "of a result must be text or a whole number" };
  return isObject(result) ? undefined : { path: ["result"], message: "must be an object" };
}

function isId(id: JsonValue | undefined): boolean {
  return typeof id === "string" || Number.isInteger(id);
}

/** A request or notification, and the revision it is said in. */
export interface Ask {
  readonly method: string;
  readonly from: Side;
  readonly version: string;
  readonly isRequest: boolean;
}

/** What breaks the rules of its revision in a request or notification; methods of extensions are free. */
export function askedFault(
  message: JsonValue,
  { method, from, version, isRequest }: Ask,
): ShapeFault | undefined {
  const row = methodRow(method);
  if (!row || revisionOf(version) === undefined) return undefined;
  if ((row.kind === "request") !== isRequest) {
    return {
      path: ["id"],
      message: isRequest ? `does not belong to the notification ${method}` : "is missing",
    };
  }
  const sender = senderOf(method, version);
  if (sender === undefined) return { path: ["method"], message: `${method} is no message of ${version}` };
  if (sender !== "both" && sender !== from) {
    return { path: ["method"], message: `${method} is the ${sender}'s to send in ${version}` };
  }
  const params = memberAt(message, "params") ?? {};
  const needsMeta = isModern(version) && isRequest && from === "client";
  const meta = needsMeta
    ? shapeFault(memberAt(params, "_meta"), MODERN_META, ["params", "_meta"])
    : undefined;
  const shape = rowOf(PARAMS, method);
  return meta ?? (shape && shapeFault(params, shape, ["params"]));
}

/** What breaks the rules of its revision in the result of a request. */
export function resultFault(message: JsonValue, method: string, version: string): ShapeFault | undefined {
  if (revisionOf(version) === undefined) return undefined;
  const result = memberAt(message, "result");
  if (isModern(version)) {
    const fault = shapeFault(result, modernResult(method), ["result"]);
    const complete = memberAt(result, "resultType") === "complete";
    if (fault || !complete) return fault;
  }
  const shape = resultShape(method, version);
  return shape && shapeFault(result, shape, ["result"]);
}
