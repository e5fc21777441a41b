import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LEASE_QUIET_MS } from '@deviceportal/contract/leases';
import { waitsUntilMs } from './device-turns.ts';

const nowMs = 10 * LEASE_QUIET_MS;
const change = (holder: string | null, quietMs = 0) => ({ holder, newsAtMs: nowMs - quietMs });

it('a change waits for a change of somebody else, never for one’s own, and what reads waits for nobody', () => {
  const running = [change('ana')];
  expect(waitsUntilMs('ben', { running, before: [], nowMs })).toBe(nowMs + LEASE_QUIET_MS);
  expect(waitsUntilMs('ana', { running, before: [], nowMs })).toBeNull();
  expect(waitsUntilMs(null, { running, before: ['ana'], nowMs })).toBeNull();
  expect(waitsUntilMs('ben', { running: [change(null)], before: [null], nowMs })).toBeNull();
});

it('nobody overtakes somebody else who waits already', () => {
  expect(waitsUntilMs('ana', { running: [change('ana')], before: ['ben'], nowMs })).toBe(Infinity);
});

it('a change that has said nothing for a quarter of an hour holds the device no more', () => {
  const running = [change('ana', LEASE_QUIET_MS)];
  expect(waitsUntilMs('ben', { running, before: [], nowMs })).toBeNull();
});

it('whatever is running, the first of those that wait has its turn within a quarter of an hour of silence', () => {
  const holder = fc.constantFrom('ana', 'ben', 'cho', null);
  const changes = fc.array(fc.record({ holder, newsAtMs: fc.integer({ min: 0, max: nowMs }) }), {
    maxLength: 5,
  });
  fc.assert(
    fc.property(holder, changes, (who, running) => {
      const untilMs = waitsUntilMs(who, { running, before: [], nowMs });
      expect(untilMs ?? 0).toBeLessThanOrEqual(nowMs + LEASE_QUIET_MS);
      if (untilMs === null) return;
      expect(waitsUntilMs(who, { running, before: [], nowMs: untilMs })).toBeNull();
    }),
  );
});
