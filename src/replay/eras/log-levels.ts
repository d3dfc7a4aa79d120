import { memberAt } from "../../protocol/member.ts";
import type { JsonValue, Message } from "../../protocol/message.ts";
import { paramsOf } from "../key.ts";

/** Log levels from the least severe on (RFC 5424, section 6.2.1). */
const LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

/** Whether a `notifications/message` is at least as severe as asked for; never where nothing was asked for. */
export function isEnough(notification: Message, asked: JsonValue | undefined): boolean {
  if (typeof asked !== "string") return false;
  const level = memberAt(paramsOf(notification), "level");
  return typeof level === "string" && LEVELS.indexOf(level) >= LEVELS.indexOf(asked);
}
