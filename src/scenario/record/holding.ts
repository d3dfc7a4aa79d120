import { Shape } from "../../cassette/written/shape.ts";
import type { ListName } from "../../drive/pages.ts";
import { VcrError } from "../../errors.ts";
import type { JsonObject } from "../../protocol/message.ts";
import { readItems } from "../read/read-items.ts";
import { valueSource } from "../read/value-tree.ts";

/** An item as a scenario can hold it: what a recorded server says against every revision is said unchecked. */
export function holding(item: JsonObject, list: ListName, notices: Set<string>): JsonObject {
  const { source, tree } = valueSource([item], { file: "", what: "a scenario" });
  const reading = {
    shape: new Shape(source),
    newTurnId: () => "",
    functions: [],
    verbatim: false,
    validates: true,
  };
  try {
    readItems(tree, list, reading);
    return item;
  } catch (error) {
    if (!(error instanceof VcrError) || item.validate === false) throw error;
    const unchecked = { ...item, validate: false };
    readItems(valueSource([unchecked], { file: "", what: "a scenario" }).tree, list, reading);
    notices.add(`${error.message.slice(2)}: so it is not checked (validate: false)`);
    return unchecked;
  }
}
