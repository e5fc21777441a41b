import { expect, test } from 'vitest';
import { findInLines, linesOf, MOST_MATCHES } from './find-in-recording.ts';
import { readRecording } from './read-recording.ts';

const head = '{"version":2,"width":80,"height":24,"timestamp":0}';
const read = (events: readonly (readonly [number, string, string])[]) =>
  linesOf(readRecording([head, ...events.map((event) => JSON.stringify(event))].join('\n')));

test('a text that is typed key by key and colored is found at the moment of its last key', () => {
  const lines = read([
    [0.1, 'o', '$ '],
    [1, 'o', 'c\u001b[32ma'],
    [1.5, 'r', '90x30'],
    [2, 'o', 't\u001b[0m'],
    [3, 'o', ' File\r\n'],
  ]);
  expect(findInLines(lines, 'CAT')).toEqual([{ event: 3, line: '$ cat File' }]);
  expect(findInLines(lines, ' file ')).toEqual([{ event: 4, line: '$ cat File' }]);
  expect(findInLines(lines, 'dog')).toEqual([]);
  expect(findInLines(lines, '  ')).toEqual([]);
});

test('matches are limited', () => {
  const lines = read([[0, 'o', 'x'.repeat(5_000)]]);
  expect(findInLines(lines, 'x')).toHaveLength(MOST_MATCHES);
});
