import { describe, expect, test } from 'vitest';
import {
  CHANGES_AT_ONCE,
  PersonBudget,
  PERSON_BURST_MS,
  PERSON_REFILL_PER_SECOND_MS,
} from './person-budget.ts';
import { RequestBudget } from './request-budget.ts';

/** Calls that take 100 ms each on a clock of their own. */
function bed() {
  const time = { nowMs: 0, running: 0, most: 0, started: 0 };
  const now = () => time.nowMs;
  const person = new PersonBudget(now);
  const call = async (): Promise<'done'> => {
    time.started += 1;
    time.running += 1;
    time.most = Math.max(time.most, time.running);
    await new Promise((resolve) => setImmediate(resolve));
    time.running -= 1;
    time.nowMs += 100;
    return 'done';
  };
  const request = () => new RequestBudget(person, now);
  const runAll = (budget: RequestBudget, count: number) =>
    Promise.allSettled(Array.from({ length: count }, () => budget.run(call)));
  return { time, person, request, runAll };
}

describe('the server time of a request', () => {
  test('one person cannot run more than four calls at once over many requests', async () => {
    const { time, request, runAll } = bed();
    await Promise.all(Array.from({ length: 10 }, () => runAll(request(), 8)));
    expect(time.most).toBe(4);
  });

  test('a request cannot start calls after its time', async () => {
    const { time, request, runAll } = bed();
    const outcomes = await runAll(request(), 1_000);
    expect(time.started).toBeLessThan(30);
    expect(outcomes.at(0)?.status).toBe('fulfilled');
    expect(outcomes.at(-1)).toMatchObject({
      reason: { code: 2000, facts: { reason: 'overBudget', retryAfterMs: 0 } },
    });
  });

  test('a person who used up their time gets it back', async () => {
    const { time, person, request, runAll } = bed();
    person.use(PERSON_BURST_MS + 2 * PERSON_REFILL_PER_SECOND_MS);
    const [refused] = await runAll(request(), 1);
    expect(refused).toMatchObject({ reason: { facts: { retryAfterMs: 2_001 } } });
    time.nowMs += 2_001;
    expect((await runAll(request(), 1))[0]?.status).toBe('fulfilled');
  });

  test('a person who made many changes at once makes the next ones more slowly', async () => {
    const { time, person, request } = bed();
    const change = () => request().run(() => Promise.resolve(), { isChange: true });
    for (let count = 0; count < CHANGES_AT_ONCE; count += 1) person.takeChange();
    await expect(change()).rejects.toMatchObject({ facts: { retryAfterMs: 100 } });
    await expect(request().run(() => Promise.resolve())).resolves.toBeUndefined();
    time.nowMs += 100;
    await expect(change()).resolves.toBeUndefined();
    await expect(change()).rejects.toMatchObject({ code: 2000 });
  });

  test('a client that has gone gets nothing started', async () => {
    const { time, request } = bed();
    const gone = request().run(() => Promise.resolve(), { signal: AbortSignal.abort() });
    await expect(gone).rejects.toMatchObject({ code: 2000 });
    expect(time.started).toBe(0);
  });
});
