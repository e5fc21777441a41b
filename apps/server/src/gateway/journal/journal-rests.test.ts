import { expect, it } from 'vitest';
import { JournalRests } from './journal-rests.ts';

const deviceId = 'device-1';

it('a device that was told to wait is not looked at until then', () => {
  const rests = new JournalRests();
  rests.told({ deviceId, waitMs: 2_000 }, 0);
  expect(rests.isResting(deviceId, 1_999)).toBe(true);
  expect(rests.isResting('device-2', 1_999)).toBe(false);
  expect(rests.isResting(deviceId, 2_000)).toBe(false);
});

it('a long wait is looked at again, for the quota may have filled elsewhere', () => {
  const rests = new JournalRests();
  rests.told({ deviceId, waitMs: 600_000 }, 0);
  expect(rests.isResting(deviceId, 5_000)).toBe(false);
});

it('a device that was taken again rests no more', () => {
  const rests = new JournalRests();
  rests.told({ deviceId, waitMs: 2_000 }, 0);
  rests.told({ deviceId }, 100);
  expect(rests.isResting(deviceId, 200)).toBe(false);
});
