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

test.each([
  'KX100200 KX100299',
  'd: KX100200\nKX100299',
  'KX100200;\tKX100299',
  '100200300 100200301',
])('[search-1] blanks separate serial numbers as a one-line field leaves them: %j', (text) => {
  expect(parseSearch(text).serialNumbers).toHaveLength(2);
});

test.each(['Anna Berg', 'Edge 5000', 'KX100200 offline', 'Hall 4, KX100200', '0151 2345 6789'])(
  '[search-1] what may be a name or a phone number is searched for as text: %j',
  (text) => {
    expect(parseSearch(text)).toMatchObject({ text, serialNumbers: [] });
  },
);
