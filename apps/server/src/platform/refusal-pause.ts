export interface RefusalPauseOptions {
  readonly waitMs: number;
  /** Beyond so many that wait, others learn at once. */
  readonly most: number;
}

/**
 * Lets a refusal wait before it is told: a client that tries again as soon as it is refused then tries seldom, and costs
 * little meanwhile.
 */
export class RefusalPause {
  readonly #options: RefusalPauseOptions;
  #waiting = 0;

  constructor(options: RefusalPauseOptions) {
    this.#options = options;
  }

  /** Calls it after the pause; at once where too many others wait. */
  tell(refuse: () => void): void {
    if (this.#waiting >= this.#options.most) return refuse();
    this.#waiting += 1;
    const end = (): void => {
      this.#waiting -= 1;
      refuse();
    };
    setTimeout(end, this.#options.waitMs).unref();
  }
}
