import { describe, expect, test } from 'vitest';
import { countMoves, refreshInPlace } from './page-changes.ts';

const page = (ids: string, name = 'old') => [...ids].map((id) => ({ id, name }));

describe('a newer page behind the shown one', () => {
  test('[newer-rows-1] the same order is no update, whatever the rows say', () => {
    expect(countMoves(page('abc'), page('abc', 'new'))).toBe(0);
  });

  test('[newer-rows-2] rows that came, went or moved are counted', () => {
    expect(countMoves(page('abc'), page('acb'))).toBe(2);
    expect(countMoves(page('abc'), page('ab'))).toBe(1);
    expect(countMoves(page(''), page('ab'))).toBe(2);
  });

  test('[newer-rows-3] shown rows keep their places and take what the newer page says of them', () => {
    expect(refreshInPlace(page('ab'), page('bc', 'new'))).toEqual([
      { id: 'a', name: 'old' },
      { id: 'b', name: 'new' },
    ]);
  });
});
