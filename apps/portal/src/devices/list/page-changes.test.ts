import { describe, expect, test } from 'vitest';
import { countMoves, refreshInPlace } from './page-changes.ts';

const page = (ids: string, name = 'old') => [...ids].map((id) => ({ id, name }));

describe('changes of a page', () => {
  test('the same order is no change, whatever the rows contain', () => {
    expect(countMoves(page('abc'), page('abc', 'new'))).toBe(0);
  });

  test('counts rows that were added, removed, or moved', () => {
    expect(countMoves(page('abc'), page('acb'))).toBe(2);
    expect(countMoves(page('abc'), page('ab'))).toBe(1);
    expect(countMoves(page(''), page('ab'))).toBe(2);
  });

  test('rows keep their positions and take the values of the newer page', () => {
    expect(refreshInPlace(page('ab'), page('bc', 'new'))).toEqual([
      { id: 'a', name: 'old' },
      { id: 'b', name: 'new' },
    ]);
  });
});
