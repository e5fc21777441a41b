import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { HeldPubacks } from './held-pubacks.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('[puback-1] a device is released in order and leaves the others held', () => {
  const held = new HeldPubacks();
  const sent: string[] = [];
  held.hold('a', () => sent.push('a1'));
  held.hold('b', () => sent.push('b1'));
  vi.advanceTimersByTime(130);
  held.hold('a', () => sent.push('a2'));
  held.release('a');
  held.release('a');
  expect(sent).toEqual(['a1', 'a2']);
});

it('[puback-2] nothing is held longer than a quarter of a second, whatever becomes of the commit', () => {
  const held = new HeldPubacks();
  const sent: number[] = [];
  for (let at = 0; at < 600; at += 50) {
    const since = at;
    held.hold(`device-${at}`, () => sent.push(Date.now() - since));
    vi.advanceTimersByTime(50);
  }
  const startMs = Date.now() - 600;
  vi.advanceTimersByTime(250);
  expect(sent).toHaveLength(12);
  expect(Math.max(...sent) - startMs).toBeLessThanOrEqual(250);
});
