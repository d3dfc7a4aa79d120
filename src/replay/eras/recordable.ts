import type { Message } from "../../protocol/message.ts";
import { methodRow } from "../../protocol/methods.ts";
import { eraOf, eraOfRequest } from "../../protocol/revisions.ts";
import { paramsOf } from "../key.ts";

/** The `feature` of a retry whose state nobody gave. */
export const REQUEST_STATE = "requestState";

/**
 * Whether a recording could mend that a request was not translated: not where its client's era has no such method, or
 * it brings a state that no server gave it.
 * @param feature what could not be translated; undefined where nothing had to be
 */
export function isRecordable(request: Message, feature: string | undefined): boolean {
  if (feature === REQUEST_STATE) return false;
  if (feature === undefined || feature !== request.method) return true;
  const era = eraOfRequest({ method: feature, params: paramsOf(request) });
  return methodRow(feature)?.revisions.some((version) => eraOf(version) === era) ?? true;
}
