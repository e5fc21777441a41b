import { expect, test } from 'vitest';
import { answerDifference } from './answer-difference.ts';

const shown = (common: string, text: string): string | null =>
  answerDifference(common, text)
    ?.map(({ kind, text: words }) =>
      kind === 'added' ? `[+${words}]` : kind === 'removed' ? `[-${words}]` : words,
    )
    .join('') ?? null;

const filler = 'the same words on every device '.repeat(5);

test('shows what differs from the most frequent output, also at the end of a long text', () => {
  expect(shown(`${filler}disk ok`, `${filler}disk full`)).toBe(
    '…ds on every device disk [-ok][+full]',
  );
});

test('shows the differing values between equal lines', () => {
  expect(shown('a: 1\nservice: up\nb: 2', 'a: 1\nservice: down\nb: 2')).toBe(
    'a: 1 service: [-up][+down] b: 2',
  );
});

test('shows a missing part, and nothing for equal texts', () => {
  expect(shown('one two three', 'one three')).toBe('one [-two ]three');
  expect(shown('one two', 'one two')).toBe('');
});

test('shows no difference of texts with nothing in common, or too many changes', () => {
  expect(shown('up', 'command not found')).toBeNull();
  const words = (prefix: string): string =>
    Array.from({ length: 400 }, (_each, at) => `${prefix}${at}`).join(' same ');
  expect(shown(words('a'), words('b'))).toBeNull();
});
