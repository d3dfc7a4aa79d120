import { toBase64 } from "../cassette/base64.ts";
import type { Body } from "../exchange/entry.ts";
import { textOf } from "../protocol/message.ts";
import { overviewJson, rowJson } from "./json.ts";
import type { Overview } from "./overview.ts";

/** Characters of a body that a page holds, and of all bodies together. */
const LONGEST_BODY = 256 * 1024;
const MOST_TEXT = 128 * 1024 * 1024;

/** Stands in the page where its data goes. */
export const DATA_MARK = "<!-- the session -->";

/**
 * The page with a session in it. Its data is inert JSON, and nothing of it can end the element that it stands in.
 * @param page made by the build, see page/
 * @throws RangeError for a page without a place for the data
 */
export function* htmlPieces(page: string, overview: Overview): Iterable<string> {
  const at = page.indexOf(DATA_MARK);
  if (at < 0) throw new RangeError("the page has no place for its data");
  yield page.slice(0, at);
  yield '<script type="application/json" id="session">';
  yield `${inert(JSON.stringify(overviewJson(overview)).slice(0, -1))},"timeline":[`;
  let room = MOST_TEXT;
  for (const [index, row] of overview.timeline.entries()) {
    const text = row.body && textIn(row.body, room);
    room -= text?.shown.length ?? 0;
    const more = text ? `,"form":"${text.form}","body":${JSON.stringify(text.shown)}` : "";
    const whole = text && text.whole > text.shown.length ? `,"whole":${text.whole}` : "";
    yield `${index === 0 ? "" : ",\n"}${inert(rowJson(row, more + whole))}`;
  }
  yield "]}</script>";
  yield page.slice(at + DATA_MARK.length);
}

interface ShownBody {
  readonly form: Body["form"];
  readonly shown: string;
  /** Characters that there are, where it was cut off. */
  readonly whole: number;
}

function textIn({ form, bytes }: Body, room: number): ShownBody {
  const text = form === "base64" ? toBase64(bytes) : textOf(bytes);
  return { form, shown: text.slice(0, Math.max(0, Math.min(LONGEST_BODY, room))), whole: text.length };
}

/** JSON in which no `<` is left, so that no parser of HTML sees anything in it. */
function inert(json: string): string {
  return json.replaceAll("<", "\\u003c");
}
