import { expect, it } from 'vitest';
import { JournalPauses } from './journal-pauses.ts';

const deviceId = 'device-1';

it('ignores a device until its pause ends', () => {
  const pauses = new JournalPauses();
  pauses.update({ deviceId, waitMs: 2_000 }, 0);
  expect(pauses.isPaused(deviceId, 1_999)).toBe(true);
  expect(pauses.isPaused('device-2', 1_999)).toBe(false);
  expect(pauses.isPaused(deviceId, 2_000)).toBe(false);
});

it('checks a device with a long pause earlier, because its quota may have been filled by another server', () => {
  const pauses = new JournalPauses();
  pauses.update({ deviceId, waitMs: 600_000 }, 0);
  expect(pauses.isPaused(deviceId, 5_000)).toBe(false);
});

it('ends the pause of a device whose entries are accepted again', () => {
  const pauses = new JournalPauses();
  pauses.update({ deviceId, waitMs: 2_000 }, 0);
  pauses.update({ deviceId }, 100);
  expect(pauses.isPaused(deviceId, 200)).toBe(false);
});
