import { overBudget } from '../call-budget/over-budget.ts';
import { Slots } from '../call-budget/slots.ts';

export interface ConcurrencyLimitOptions {
  /** Concurrency limit per key: a user, an invocation … */
  readonly each: number;
  /** Concurrency limit for all keys. */
  readonly all: number;
  /** Maximum queue length. */
  readonly waiting: number;
  readonly maxWaitMs: number;
  /**
   * How long a slot stays occupied after the work, as a multiple of its duration. The result is not
   * delayed.
   */
  readonly rest?: number;
}

interface Line {
  readonly slots: Slots;
  users: number;
}

const RETRY_AFTER_MS = 2_000;

/** Limits the concurrency of expensive work, with a queue. */
export class ConcurrencyLimit {
  readonly #options: ConcurrencyLimitOptions;
  readonly #all: Slots;
  readonly #lines = new Map<string, Line>();

  constructor(options: ConcurrencyLimitOptions) {
    this.#options = options;
    this.#all = new Slots(options.all, options.waiting);
  }

  /** @throws PortalError 2000 with the reason `overBudget` if no slot was free in time */
  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const { each, waiting, maxWaitMs } = this.#options;
    const line = this.#lines.get(key) ?? { slots: new Slots(each, waiting), users: 0 };
    this.#lines.set(key, line);
    line.users += 1;
    try {
      return await inTurn(line.slots, this.#options, () => inTurn(this.#all, { maxWaitMs }, work));
    } finally {
      line.users -= 1;
      if (line.users === 0) this.#lines.delete(key);
    }
  }
}

async function inTurn<Result>(
  slots: Slots,
  { maxWaitMs, rest = 0 }: Pick<ConcurrencyLimitOptions, 'maxWaitMs' | 'rest'>,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!(await slots.take(maxWaitMs))) throw overBudget(RETRY_AFTER_MS);
  const startedAtMs = performance.now();
  try {
    return await work();
  } finally {
    slots.giveAfter(rest * (performance.now() - startedAtMs));
  }
}
