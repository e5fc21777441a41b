/** Counts concurrent uses per key, such as connections or requests. */
export class HeldPlaces {
  readonly #most: number;
  readonly #counts = new Map<string, number>();

  /** @param most maximum per key */
  constructor(most: number) {
    this.#most = most;
  }

  /** @returns a function that releases the slot; undefined if there is none left */
  take(holder: string): (() => void) | undefined {
    const count = this.#counts.get(holder) ?? 0;
    if (count >= this.#most) return undefined;
    this.#counts.set(holder, count + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const left = (this.#counts.get(holder) ?? 1) - 1;
      if (left === 0) this.#counts.delete(holder);
      else this.#counts.set(holder, left);
    };
  }
}
