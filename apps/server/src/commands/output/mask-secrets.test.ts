import fc from 'fast-check';
import { expect, it } from 'vitest';
import { OUTPUT_CUT_MARK } from '@deviceportal/device-protocol/journal';
import { maskOverlap, maskSecrets } from './mask-secrets.ts';

it('keeps all offsets and masks all secrets', () => {
  expect(maskSecrets('a token-1 b token-1', ['token-1'])).toBe('a ••••••• b •••••••');
});

it('masks the longer of two overlapping secrets', () => {
  expect(maskSecrets('abcd-efgh', ['abcd', 'abcd-efgh'])).toBe('•••••••••');
});

it('masks the beginning of a secret at the end of the text', () => {
  expect(maskSecrets('pass: hunt', ['hunter2'])).toBe('pass: ••••');
});

it('does not mask ordinary output for a secret that is too short', () => {
  expect(maskSecrets('a 1 b', ['1', ''])).toBe('a 1 b');
  expect(maskOverlap(['1'])).toBe(0);
});

it('masks all secrets in any text and keeps its length', () => {
  const secret = fc.string({ minLength: 4, maxLength: 8, unit: fc.constantFrom('a', 'b') });
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'b', ' ') }),
      fc.array(secret, { maxLength: 3 }),
      (text, secrets) => {
        const masked = maskSecrets(text, secrets);
        expect(masked).toHaveLength(text.length);
        expect(secrets.some((one) => masked.includes(one))).toBe(false);
      },
    ),
  );
});

it('masks a secret with escape sequences inside', () => {
  expect(maskSecrets('a hun\u001B[31mter\u001B]0;x\u00072 b', ['hunter2'])).toBe(
    'a •••\u001B[31m•••\u001B]0;x\u0007• b',
  );
});

it('masks a secret inside an unterminated sequence', () => {
  expect(maskSecrets('\u001B]hunter2', ['hunter2'])).toBe('\u001B]•••••••');
});

it('masks the rest of a secret at the start of the text only if the stream began before it', () => {
  expect(maskSecrets('ter2 ter2', ['hunter2'], { fromStart: false })).toBe('•••• ter2');
  expect(maskSecrets('ter2 ter2', ['hunter2'])).toBe('ter2 ter2');
});

it('masks a megabyte within a second, even if everything repeats', () => {
  const startedAt = performance.now();
  maskSecrets('\u001B[1mab'.repeat(200_000), ['a'.repeat(300), 'abab', 'ab'.repeat(100)]);
  expect(performance.now() - startedAt).toBeLessThan(1_000);
});

it('masks the beginning of a secret where a limit truncated the stream', () => {
  expect(maskSecrets(`a hunt${OUTPUT_CUT_MARK}`, ['hunter2'])).toBe(`a ••••${OUTPUT_CUT_MARK}`);
  expect(maskSecrets(`hun\u001B[0mt${OUTPUT_CUT_MARK}`, ['hunter2'])).toBe(
    `•••\u001B[0m•${OUTPUT_CUT_MARK}`,
  );
});
