import { describe, expect, test } from 'vitest';
import { neighborsOf, type DeviceTrail } from './device-trail.ts';

const trail: DeviceTrail = {
  href: '/devices',
  input: {},
  stops: ['a', 'b', 'c'].map((id) => ({ id, label: id })),
  previousCursors: [],
  nextCursor: null,
  rowsBefore: 25,
  total: 28,
};

describe('neighbors of a device in the list from which it was opened', () => {
  test('returns the previous and next device and the position in the list', () => {
    expect(neighborsOf(trail, 'b')).toEqual({
      previous: { id: 'a', label: 'a' },
      next: { id: 'c', label: 'c' },
      position: 27,
    });
  });

  test('returns no neighbor at the ends of the page', () => {
    expect(neighborsOf(trail, 'a').previous).toBeUndefined();
    expect(neighborsOf(trail, 'c').next).toBeUndefined();
  });

  test('returns no position without a count', () => {
    expect(neighborsOf({ ...trail, rowsBefore: null }, 'b').position).toBeNull();
  });
});
