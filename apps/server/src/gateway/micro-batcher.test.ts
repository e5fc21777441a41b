import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MicroBatcher } from './micro-batcher.ts';

const WAIT_MS = 5;
const WORK_MS = 20;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function startBatcher(maxItems = 1_000) {
  const startedAt = Date.now();
  const batches: { readonly atMs: number; readonly items: readonly number[] }[] = [];
  const batcher = new MicroBatcher<number>({
    waitMs: WAIT_MS,
    maxItems,
    handle(items) {
      batches.push({ atMs: Date.now() - startedAt, items });
      return new Promise((resolve) => {
        setTimeout(resolve, WORK_MS);
      });
    },
  });
  return { batcher, batches };
}

test('an item on its own is handled after a short wait', async () => {
  const { batcher, batches } = startBatcher();
  void batcher.add(1);
  await vi.advanceTimersByTimeAsync(1_000);
  void batcher.add(2);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(batches).toEqual([
    { atMs: WAIT_MS, items: [1] },
    { atMs: 1_000 + WAIT_MS, items: [2] },
  ]);
});

test('items that arrive during a batch are the next one, at once', async () => {
  const { batcher, batches } = startBatcher();
  void batcher.add(1);
  await vi.advanceTimersByTimeAsync(WAIT_MS);
  void batcher.add(2);
  void batcher.add(3);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(batches[1]).toEqual({ atMs: WAIT_MS + WORK_MS, items: [2, 3] });
});

test('all items are handled once and in order, one batch at a time, also when it is closed', async () => {
  const histories = fc.array(fc.record({ pauseMs: fc.nat(150), items: fc.nat(5) }), {
    maxLength: 20,
  });
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      const { batcher, batches } = startBatcher(3);
      let added = 0;
      const handled: number[] = [];
      for (const { pauseMs, items } of history) {
        await vi.advanceTimersByTimeAsync(pauseMs);
        for (let count = 0; count < items; count += 1) {
          const item = added++;
          void batcher.add(item).then(() => handled.push(item));
        }
      }
      const closed = batcher[Symbol.asyncDispose]();
      await vi.advanceTimersByTimeAsync(60_000);
      await closed;
      const all = Array.from({ length: added }, (_, item) => item);
      expect(batches.flatMap(({ items }) => items)).toEqual(all);
      expect(handled).toEqual(all);
      for (const [index, { atMs }] of batches.entries())
        expect(atMs - (batches[index - 1]?.atMs ?? -WORK_MS)).toBeGreaterThanOrEqual(WORK_MS);
    }),
  );
});
