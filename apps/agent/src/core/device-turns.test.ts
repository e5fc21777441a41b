import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CHANGE_LOCK_QUIET_MS } from '@deviceportal/contract/change-locks';
import { waitsUntilMs } from './device-turns.ts';

const nowMs = 10 * CHANGE_LOCK_QUIET_MS;
const change = (holder: string | null, quietMs = 0) => ({ holder, newsAtMs: nowMs - quietMs });

it('a change waits for another user’s change, never for the same user’s, and reading never waits', () => {
  const running = [change('ana')];
  expect(waitsUntilMs('ben', { running, before: [], nowMs })).toBe(nowMs + CHANGE_LOCK_QUIET_MS);
  expect(waitsUntilMs('ana', { running, before: [], nowMs })).toBeNull();
  expect(waitsUntilMs(null, { running, before: ['ana'], nowMs })).toBeNull();
  expect(waitsUntilMs('ben', { running: [change(null)], before: [null], nowMs })).toBeNull();
});

it('a change does not overtake another user’s queued change', () => {
  expect(waitsUntilMs('ana', { running: [change('ana')], before: ['ben'], nowMs })).toBe(Infinity);
});

it('a change without activity for 15 minutes loses its lock', () => {
  const running = [change('ana', CHANGE_LOCK_QUIET_MS)];
  expect(waitsUntilMs('ben', { running, before: [], nowMs })).toBeNull();
});

it('the first queued change starts after at most 15 minutes without activity', () => {
  const holder = fc.constantFrom('ana', 'ben', 'cho', null);
  const changes = fc.array(fc.record({ holder, newsAtMs: fc.integer({ min: 0, max: nowMs }) }), {
    maxLength: 5,
  });
  fc.assert(
    fc.property(holder, changes, (who, running) => {
      const untilMs = waitsUntilMs(who, { running, before: [], nowMs });
      expect(untilMs ?? 0).toBeLessThanOrEqual(nowMs + CHANGE_LOCK_QUIET_MS);
      if (untilMs === null) return;
      expect(waitsUntilMs(who, { running, before: [], nowMs: untilMs })).toBeNull();
    }),
  );
});
