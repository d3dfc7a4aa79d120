import type { PageRules } from "../model.ts";

/** A list cut into pages; one at least. Pages that are to be empty stand between the others. */
export function pagesOf<Item>(
  items: readonly Item[],
  { size, empty }: PageRules,
): readonly (readonly Item[])[] {
  const pages: (readonly Item[])[] = [];
  const most = size ?? Math.max(1, items.length);
  let at = 0;
  while (at < items.length || empty.includes(pages.length + 1) || pages.length === 0) {
    if (empty.includes(pages.length + 1)) pages.push([]);
    else {
      pages.push(items.slice(at, at + most));
      at += most;
    }
  }
  return pages;
}
