import { expect, test } from 'vitest';
import { parseSearch } from './parse-search.ts';

test('a prefix limits the search to one kind', () => {
  expect(parseSearch('d: kx1')).toMatchObject({ text: 'kx1', only: 'device' });
  expect(parseSearch('DOC:storage')).toMatchObject({ text: 'storage', only: 'document' });
  expect(parseSearch('r:4711')).toMatchObject({ text: '4711', only: 'run' });
  expect(parseSearch('fe80::1')).toMatchObject({ text: 'fe80::1', only: null });
});

test('recognizes a pasted list of serial numbers', () => {
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
])('accepts serial numbers separated by spaces, as pasted into a one-line field: %j', (text) => {
  expect(parseSearch(text).serialNumbers).toHaveLength(2);
});

test.each(['Anna Berg', 'Edge 5000', 'KX100200 offline', 'Hall 4, KX100200', '0151 2345 6789'])(
  'searches possible names and phone numbers as text: %j',
  (text) => {
    expect(parseSearch(text)).toMatchObject({ text, serialNumbers: [] });
  },
);
