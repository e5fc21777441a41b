import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { HeldPubacks } from './held-pubacks.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('releases the PUBACKs of a device in order and keeps those of other devices held', () => {
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

it('holds a PUBACK for at most a quarter of a second, even without a commit', () => {
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
