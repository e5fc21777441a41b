import { mock } from 'node:test';
import type { TestDatabase } from '../database/copy-database.ts';

/** The start time of every system. */
const START_MS = Date.parse('2031-03-12T08:00:00Z');

/** A common time for the database and for everything in this thread. It advances only when set. */
export class SystemClock implements AsyncDisposable {
  nowMs = START_MS;
  readonly #test: Pick<TestDatabase, 'owner'>;

  private constructor(test: Pick<TestDatabase, 'owner'>) {
    this.#test = test;
  }

  static async start(test: Pick<TestDatabase, 'owner'>): Promise<SystemClock> {
    mock.timers.enable({ apis: ['Date'] });
    const clock = new SystemClock(test);
    await clock.turn(0);
    return clock;
  }

  async turn(byMs: number): Promise<void> {
    this.nowMs += byMs;
    const at = new Date(this.nowMs).toISOString();
    await this.#test.owner.pool.query(`
      create or replace function portal_now(moment timestamptz default now()) returns timestamptz
        language sql stable parallel safe return timestamptz '${at}'`);
    mock.timers.setTime(this.nowMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    mock.timers.reset();
  }
}
