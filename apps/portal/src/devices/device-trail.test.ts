import { describe, expect, test } from 'vitest';
import { neighboursOf, type DeviceTrail } from './device-trail.ts';

const trail: DeviceTrail = {
  href: '/devices',
  input: {},
  stops: ['a', 'b', 'c'].map((id) => ({ id, label: id })),
  previousCursors: [],
  nextCursor: null,
  rowsBefore: 25,
  total: 28,
};

describe('the devices around one in the list it was opened from', () => {
  test('[trail-1] the rows above and below, and its place in the whole list', () => {
    expect(neighboursOf(trail, 'b')).toEqual({
      previous: { id: 'a', label: 'a' },
      next: { id: 'c', label: 'c' },
      position: 27,
    });
  });

  test('[trail-2] the ends of the page have no neighbour on it', () => {
    expect(neighboursOf(trail, 'a').previous).toBeUndefined();
    expect(neighboursOf(trail, 'c').next).toBeUndefined();
  });

  test('[trail-3] without a count nobody claims a place', () => {
    expect(neighboursOf({ ...trail, rowsBefore: null }, 'b').position).toBeNull();
  });
});
