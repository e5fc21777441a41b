import { expect, test } from 'vitest';
import { parseSearch } from './parse-search.ts';

test('[search-1] a prefix narrows the search to one kind of thing', () => {
  expect(parseSearch('d: kx1')).toMatchObject({ text: 'kx1', only: 'device' });
  expect(parseSearch('DOC:storage')).toMatchObject({ text: 'storage', only: 'document' });
  expect(parseSearch('r:4711')).toMatchObject({ text: '4711', only: 'run' });
  expect(parseSearch('fe80::1')).toMatchObject({ text: 'fe80::1', only: null });
});

test('[search-1] a pasted list of serial numbers is one', () => {
  expect(parseSearch('kx100200, KX100200\nＫＸ100299').serialNumbers).toEqual([
    'KX100200',
    'KX100299',
  ]);
  expect(parseSearch('Berg, Anna').serialNumbers).toEqual([]);
  expect(parseSearch('KX100200').serialNumbers).toEqual([]);
});
