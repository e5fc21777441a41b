import fc from 'fast-check';
import { expect, test } from 'vitest';
import { typingDistance } from '@deviceportal/contract/typing-distance';
import { mailboxVariants, typingVariants } from './typing-errors.ts';

const likelihoodOf = (typed: string, meant: string): number =>
  typingVariants(typed).find(({ word }) => word === meant)?.likelihood ?? 0;

test('corrects every kind of single typo', () => {
  for (const [typed, meant] of [
    ['brandt', 'brand'],
    ['gracia', 'garcia'],
    ['schmit', 'schmidt'],
    ['shmidt', 'schmidt'],
    ['muller', 'müller'],
    ['garcía', 'garcia'],
    ['sn1o234', 'sn10234'],
  ] as const) {
    expect(likelihoodOf(typed, meant), `${typed} → ${meant}`).toBeGreaterThan(0.6);
  }
});

test('ranks confusable characters above other wrong characters', () => {
  expect(likelihoodOf('dp000o12', 'dp000012')).toBeGreaterThan(
    likelihoodOf('dp000o12', 'dp000712'),
  );
  expect(likelihoodOf('dp00l234', 'dp001234')).toBeGreaterThan(
    likelihoodOf('dp00l234', 'dp009234'),
  );
  expect(likelihoodOf('muller', 'müller')).toBeGreaterThan(likelihoodOf('muller', 'maller'));
});

test('returns a bounded number of variants at edit distance 1, never the word itself', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9]{3,16}$/), (word) => {
      const variants = typingVariants(word);
      expect(variants.length).toBeLessThanOrEqual(word.length * 165 + 120);
      for (const variant of variants) {
        expect(variant.word).not.toBe(word);
        expect(typingDistance(word, variant.word, 1)).toBe(1);
      }
    }),
    { numRuns: 40 },
  );
});

test('lists spellings of a local part, most likely first, with letters, digits, and +', () => {
  const spellings = mailboxVariants('annaweber');
  expect(spellings.indexOf('annaewber')).toBeLessThan(spellings.indexOf('annaweber3'));
  expect(spellings.indexOf('annaweber3')).toBeLessThan(spellings.indexOf('annaxeber'));
  expect(spellings).toContain('anna+weber');
  expect(spellings.join('')).toMatch(/^[a-z0-9+]+$/);
});
