import { expect, it } from 'vitest';
import { watchMessageSchema, type Watch } from '@deviceportal/contract/live-channel';
import { mergeWatches } from './merge-watches.ts';

const devices = (from: number, count: number): Watch => ({
  kind: 'devices',
  ids: Array.from({ length: count }, (_, n) => {
    const tail = String(from + n).padStart(12, '0');
    return `0198c0de-0000-7000-8000-${tail}`;
  }),
});

it('the union contains each watch once', () => {
  const fleet: Watch = { kind: 'fleet' };
  expect(
    mergeWatches([
      [devices(0, 3), fleet],
      [devices(1, 3), fleet],
    ]),
  ).toEqual([fleet, devices(0, 4)]);
});

it('the message stays within the server’s limit for any number of tabs', () => {
  const merged = mergeWatches(Array.from({ length: 40 }, (_, tab) => [devices(tab * 200, 200)]));
  expect(watchMessageSchema.safeParse({ watches: merged }).success).toBe(true);
  expect(JSON.stringify({ watches: merged }).length).toBeLessThan(64 * 1_024);
});
