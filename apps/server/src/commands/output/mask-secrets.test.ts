import fc from 'fast-check';
import { expect, it } from 'vitest';
import { OUTPUT_CUT_MARK } from '@deviceportal/device-protocol/journal';
import { maskOverlap, maskSecrets } from './mask-secrets.ts';

it('[mask-1] keeps every offset and hides every secret', () => {
  expect(maskSecrets('a token-1 b token-1', ['token-1'])).toBe('a ••••••• b •••••••');
});

it('[mask-2] hides the longer of two secrets of which one is part of the other', () => {
  expect(maskSecrets('abcd-efgh', ['abcd', 'abcd-efgh'])).toBe('•••••••••');
});

it('[mask-3] hides a secret’s beginning at the end, whose rest may come', () => {
  expect(maskSecrets('pass: hunt', ['hunter2'])).toBe('pass: ••••');
});

it('[mask-4] leaves ordinary output alone where a secret is too short to tell', () => {
  expect(maskSecrets('a 1 b', ['1', ''])).toBe('a 1 b');
  expect(maskOverlap(['1'])).toBe(0);
});

it('[mask-5] no secret survives, and the length stays, whatever the text', () => {
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

it('[mask-6] escape sequences between its letters hide no secret', () => {
  expect(maskSecrets('a hun\u001B[31mter\u001B]0;x\u00072 b', ['hunter2'])).toBe(
    'a •••\u001B[31m•••\u001B]0;x\u0007• b',
  );
});

it('[mask-7] a secret inside a sequence that never ends is found as well', () => {
  expect(maskSecrets('\u001B]hunter2', ['hunter2'])).toBe('\u001B]•••••••');
});

it('[mask-8] where the stream began before, the rest of a secret is hidden, and only there', () => {
  expect(maskSecrets('ter2 ter2', ['hunter2'], { fromStart: false })).toBe('•••• ter2');
  expect(maskSecrets('ter2 ter2', ['hunter2'])).toBe('ter2 ter2');
});

it('[mask-9] a megabyte is masked within a second, also where everything repeats', () => {
  const startedAt = performance.now();
  maskSecrets('\u001B[1mab'.repeat(200_000), ['a'.repeat(300), 'abab', 'ab'.repeat(100)]);
  expect(performance.now() - startedAt).toBeLessThan(1_000);
});

it('[mask-10] where a limit cut the stream in the middle of a secret, its beginning is hidden', () => {
  expect(maskSecrets(`a hunt${OUTPUT_CUT_MARK}`, ['hunter2'])).toBe(`a ••••${OUTPUT_CUT_MARK}`);
  expect(maskSecrets(`hun\u001B[0mt${OUTPUT_CUT_MARK}`, ['hunter2'])).toBe(
    `•••\u001B[0m•${OUTPUT_CUT_MARK}`,
  );
});
