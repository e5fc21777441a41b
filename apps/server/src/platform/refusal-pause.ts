export interface RefusalPauseOptions {
  readonly waitMs: number;
  /** Maximum number of delayed rejections; beyond it, rejections are immediate. */
  readonly most: number;
}

/** Delays rejections, so that clients that retry immediately retry less often. */
export class RefusalPause {
  readonly #options: RefusalPauseOptions;
  #waiting = 0;

  constructor(options: RefusalPauseOptions) {
    this.#options = options;
  }

  /** Calls it after the delay, or immediately if too many others are delayed. */
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
