import { escapePointer } from "../protocol/json-diff.ts";
import { type ExactJson, ExactNumber, readExact } from "../protocol/json-exact.ts";
import type { Message } from "../protocol/message.ts";

/**
 * Whether a number became another one that JavaScript takes for the same. What else differs is not looked at.
 * @param isApart whether what stands at a JSON pointer into the message does not count
 */
export function hidesChange(old: Message, fresh: Message, isApart: (pointer: string) => boolean): boolean {
  if (!old.scan.harmed && !fresh.scan.harmed) return false;
  const waiting: Both[] = [{ a: readExact(old.bytes), b: readExact(fresh.bytes), pointer: "" }];
  for (let both = waiting.pop(); both !== undefined; both = waiting.pop()) {
    if (isHidden(both)) return true;
    for (const inner of within(both)) if (!isApart(inner.pointer)) waiting.push(inner);
  }
  return false;
}

/** What stands at one place of both. */
interface Both {
  readonly a: ExactJson;
  readonly b: ExactJson;
  readonly pointer: string;
}

function isHidden({ a, b }: Both): boolean {
  if (!(a instanceof ExactNumber) || !(b instanceof ExactNumber)) return false;
  return a.text !== b.text && Number(a.token) === Number(b.token);
}

function within({ a, b, pointer }: Both): Both[] {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.slice(0, b.length).map((each, index) => ({
      a: each,
      b: b[index] as ExactJson,
      pointer: `${pointer}/${index}`,
    }));
  }
  if (!(a instanceof Map) || !(b instanceof Map)) return [];
  return [...a].flatMap(([name, each]) => {
    const other = b.get(name);
    return other === undefined ? [] : [{ a: each, b: other, pointer: `${pointer}/${escapePointer(name)}` }];
  });
}
