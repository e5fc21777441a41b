import { setImmediate } from 'node:timers/promises';
import { overBudget } from './over-budget.ts';
import type { UserBudget } from './user-budget.ts';
import { Slots } from './slots.ts';

const REQUEST_CONCURRENCY = 4;
/** After this time, no further call of the request is started. */
const REQUEST_BUDGET_MS = 1_000;
/** How long a call waits for calls of the same user's other requests. */
const MAX_WAIT_MS = 10_000;
/** Consecutive rejections, about 5 ms of work, before other requests are processed. */
const REFUSED_AT_ONCE = 100;

interface BudgetedCall {
  /** Whether the call can write. */
  readonly isChange?: boolean;
  /** Aborted when the client disconnects. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs the calls of one request, a few at a time, until its time is used up. The first call is
 * always started, so that a client that retries the others makes progress.
 */
export class RequestBudget {
  readonly #user: UserBudget;
  readonly #now: () => number;
  readonly #slots = new Slots(REQUEST_CONCURRENCY);
  #startedAtMs: number | undefined;
  #refused = 0;
  #pause: Promise<void> | undefined;

  constructor(user: UserBudget, now: () => number = () => performance.now()) {
    this.#user = user;
    this.#now = now;
  }

  /** @throws PortalError 2000 with the reason `overBudget` if the call was not started */
  async run<Result>(
    call: () => Promise<Result>,
    { isChange = false, signal }: BudgetedCall = {},
  ): Promise<Result> {
    await this.#slots.take();
    try {
      await this.#check(signal);
      if (!(await this.#user.slots.take(MAX_WAIT_MS))) throw overBudget();
      try {
        return await this.#inLine(async () => {
          await this.#check(signal);
          const waitMs = isChange ? this.#user.takeChange() : 0;
          if (waitMs > 0) throw overBudget(waitMs);
          this.#startedAtMs ??= this.#now();
          return call();
        });
      } finally {
        this.#user.slots.give();
      }
    } finally {
      this.#slots.give();
    }
  }

  async #inLine<Result>(call: () => Promise<Result>): Promise<Result> {
    const { line, isBeyondShare } = this.#user;
    if (isBeyondShare && !(await line.take(MAX_WAIT_MS))) throw overBudget();
    const startedAtMs = this.#now();
    try {
      return await call();
    } finally {
      const restMs = this.#user.use(this.#now() - startedAtMs);
      if (isBeyondShare) line.giveAfter(restMs);
    }
  }

  /** Calls of a disconnected client are not started. */
  async #check(signal: AbortSignal | undefined): Promise<void> {
    const isSpent =
      this.#startedAtMs !== undefined && this.#now() - this.#startedAtMs > REQUEST_BUDGET_MS;
    const { waitMs } = this.#user;
    if (!isSpent && waitMs === 0 && signal?.aborted !== true) return;
    this.#refused += 1;
    if (this.#refused % REFUSED_AT_ONCE === 0) this.#pause = setImmediate();
    await this.#pause;
    throw overBudget(waitMs);
  }
}
