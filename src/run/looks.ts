/** What waits until something holds that others bring about: each looks again when told that something changed. */
export class Looks {
  readonly #all = new Set<() => void>();
  #due = false;

  add(look: () => void): void {
    this.#all.add(look);
  }

  delete(look: () => void): void {
    this.#all.delete(look);
  }

  /** Not at once: whoever tells it is in the midst of something. */
  readonly changed = (): void => {
    if (this.#due) return;
    this.#due = true;
    setImmediate(() => {
      this.#due = false;
      for (const look of [...this.#all]) look();
    });
  };

  until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!holds()) return;
        this.#all.delete(look);
        resolve();
      };
      this.#all.add(look);
      look();
    });
  }
}
