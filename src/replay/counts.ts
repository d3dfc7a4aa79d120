/** Numbers to a page. */
const PAGE_BITS = 6;
const IN_PAGE = (1 << PAGE_BITS) - 1;

/** How often each of many numbered things came, in little memory however many there are: pages of counts. */
export class Counts {
  readonly #pages = new Map<number, Uint32Array>();

  of(number: number): number {
    return this.#pages.get(number >>> PAGE_BITS)?.[number & IN_PAGE] ?? 0;
  }

  set(number: number, count: number): void {
    let page = this.#pages.get(number >>> PAGE_BITS);
    if (!page) {
      page = new Uint32Array(IN_PAGE + 1);
      this.#pages.set(number >>> PAGE_BITS, page);
    }
    page[number & IN_PAGE] = count;
  }

  /** Once more, or once less. */
  add(number: number, more: 1 | -1): void {
    this.set(number, this.of(number) + more);
  }
}
