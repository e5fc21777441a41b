import { describe, expect, test } from 'vitest';
import {
  CHANGES_AT_ONCE,
  MOST_REST_MS,
  USER_CONCURRENCY,
  UserBudget,
  USER_BURST_MS,
  USER_REFILL_PER_SECOND_MS,
  REST_FACTOR,
  SHARE_BURST_MS,
  SHARE_DEBT_MS,
  SHARE_PER_SECOND_MS,
} from './user-budget.ts';
import { RequestBudget } from './request-budget.ts';
import { Slots } from './slots.ts';

/** Calls with a fixed duration on a test clock. */
function bed(callMs = 100) {
  const time = { nowMs: 0, running: 0, most: 0, started: 0 };
  const now = () => time.nowMs;
  const user = new UserBudget(now);
  const call = async (): Promise<'done'> => {
    time.started += 1;
    time.running += 1;
    time.most = Math.max(time.most, time.running);
    await new Promise((resolve) => setImmediate(resolve));
    time.running -= 1;
    time.nowMs += callMs;
    return 'done';
  };
  const request = () => new RequestBudget(user, now);
  const runAll = (budget: RequestBudget, count: number) =>
    Promise.allSettled(Array.from({ length: count }, () => budget.run(call)));
  return { time, user, request, runAll };
}

describe('the server time of a request', () => {
  test('limits the concurrent calls of a user over several requests', async () => {
    const { time, request, runAll } = bed(1);
    await Promise.all(Array.from({ length: 10 }, () => runAll(request(), 8)));
    expect(time.most).toBe(USER_CONCURRENCY);
  });

  test('starts no calls after the request’s time', async () => {
    const { time, request, runAll } = bed();
    const outcomes = await runAll(request(), 1_000);
    expect(time.started).toBeLessThan(30);
    expect(outcomes.at(0)?.status).toBe('fulfilled');
    expect(outcomes.at(-1)).toMatchObject({
      reason: { code: 2000, facts: { reason: 'overBudget', retryAfterMs: 0 } },
    });
  });

  test('pauses between concurrent calls beyond a user’s share', () => {
    const { time, user } = bed();
    const callFor = (durationMs: number): number => {
      time.nowMs += durationMs;
      return user.use(durationMs);
    };
    expect(callFor(SHARE_BURST_MS + 600)).toBe(0);
    user.openRequest();
    expect(user.isBeyondShare).toBe(false);
    user.openRequest();
    expect(user.isBeyondShare).toBe(true);
    void user.slots.take();
    expect(callFor(100)).toBe(0);
    void user.slots.take();
    expect(callFor(100)).toBe(100 * REST_FACTOR);
    expect(callFor(60_000)).toBe(MOST_REST_MS);
    time.nowMs += (1_000 * SHARE_DEBT_MS) / SHARE_PER_SECOND_MS + 1;
    expect(user.isBeyondShare).toBe(false);
  });

  test('runs calls beyond a user’s share one at a time', async () => {
    const { time, user, request, runAll } = bed(1);
    user.use(SHARE_BURST_MS + SHARE_DEBT_MS);
    await Promise.all(Array.from({ length: 4 }, () => runAll(request(), 4)));
    expect(time.most).toBe(1);
    expect(time.started).toBe(16);
  });

  test('assigns an occupied slot to the next call when it is released', async () => {
    const slots = new Slots(1);
    await slots.take();
    slots.giveAfter(20);
    expect(await slots.take(1)).toBe(false);
    expect(await slots.take(5_000)).toBe(true);
  });

  test('refills a user’s time', async () => {
    const { time, user, request, runAll } = bed();
    user.use(USER_BURST_MS + 2 * USER_REFILL_PER_SECOND_MS);
    const [refused] = await runAll(request(), 1);
    expect(refused).toMatchObject({ reason: { facts: { retryAfterMs: 2_001 } } });
    time.nowMs += 2_001;
    expect((await runAll(request(), 1))[0]?.status).toBe('fulfilled');
  });

  test('delays changes after a burst of changes by a user', async () => {
    const { time, user, request } = bed();
    const change = () => request().run(() => Promise.resolve(), { isChange: true });
    for (let count = 0; count < CHANGES_AT_ONCE; count += 1) user.takeChange();
    await expect(change()).rejects.toMatchObject({ facts: { retryAfterMs: 100 } });
    await expect(request().run(() => Promise.resolve())).resolves.toBeUndefined();
    time.nowMs += 100;
    await expect(change()).resolves.toBeUndefined();
    await expect(change()).rejects.toMatchObject({ code: 2000 });
  });

  test('starts no calls of a disconnected client', async () => {
    const { time, request } = bed();
    const gone = request().run(() => Promise.resolve(), { signal: AbortSignal.abort() });
    await expect(gone).rejects.toMatchObject({ code: 2000 });
    expect(time.started).toBe(0);
  });
});
