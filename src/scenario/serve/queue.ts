/** What has to wait for something is done afterwards, in the order in which it came. */
export class Queue {
  #waiting: (() => void)[] | undefined;

  /** Now, or after what waits. */
  do(act: () => void): void {
    if (this.#waiting) this.#waiting.push(act);
    else act();
  }

  /** @param ready never rejects */
  until(ready: Promise<unknown>, act: () => void): void {
    const waiting = [act];
    this.#waiting = waiting;
    void ready.then(() => {
      this.#waiting = undefined;
      for (const each of waiting) each();
    });
  }
}
