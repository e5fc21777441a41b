import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { repeat } from './repeat.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const fail = (error: unknown): void => {
  throw error;
};

test('work that is started together is due at different times, each within its interval', async () => {
  const dueAt: number[] = [];
  const startedAt = Date.now();
  await using running = new AsyncDisposableStack();
  for (let index = 0; index < 6; index += 1) {
    const work = async (): Promise<void> => void dueAt.push(Date.now() - startedAt);
    running.use(repeat(work, { everyMs: 1_000, onError: fail }));
  }
  await vi.advanceTimersByTimeAsync(1_000);
  expect(new Set(dueAt).size).toBe(6);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(dueAt).toHaveLength(12);
});

test('disposing before the first round and after it ends the rounds', async () => {
  const work = vi.fn<() => Promise<void>>(async () => {});
  const early = repeat(work, { everyMs: 1_000, onError: fail });
  await early[Symbol.asyncDispose]();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(work).not.toHaveBeenCalled();
  const late = repeat(work, { everyMs: 1_000, onError: fail });
  await vi.advanceTimersByTimeAsync(2_500);
  await late[Symbol.asyncDispose]();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(work).toHaveBeenCalledTimes(2);
});
