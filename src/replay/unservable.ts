import { answerOf, type Exchange, isBrokenOff, isSettled } from "../exchange/exchange.ts";
import type { RecordedMissReason, Why } from "./miss.ts";
import type { DoorSide, PlayerOptions } from "./playing.ts";

/** Why a recording that was found is not served all the same; undefined where it is. */
export function unservable(
  exchange: Exchange,
  { carriesStatus }: Pick<DoorSide, "carriesStatus">,
  { unanswered }: Pick<PlayerOptions, "unanswered">,
): (Why & { readonly reason: Extract<RecordedMissReason, "status" | "unanswered"> }) | undefined {
  if (!carriesStatus && answerOf(exchange)?.role === "status") return { reason: "status" };
  if (unanswered !== "miss" || exchange.kind !== "request") return undefined;
  return isSettled(exchange) || isBrokenOff(exchange)
    ? undefined
    : { reason: "unanswered", silent: exchange };
}
