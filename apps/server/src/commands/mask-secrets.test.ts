import fc from 'fast-check';
import { expect, it } from 'vitest';
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
