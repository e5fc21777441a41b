import fc from 'fast-check';
import { expect, test } from 'vitest';
import { typingDistance } from '@deviceportal/contract/typing-distance';
import { typingVariants } from './typing-errors.ts';

const likelihoodOf = (typed: string, meant: string): number =>
  typingVariants(typed).find(({ word }) => word === meant)?.likelihood ?? 0;

test('[search-7] every kind of single typing error is mended', () => {
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

test('[search-7] what is easily misread is likelier than any other wrong character', () => {
  expect(likelihoodOf('dp000o12', 'dp000012')).toBeGreaterThan(
    likelihoodOf('dp000o12', 'dp000712'),
  );
  expect(likelihoodOf('dp00l234', 'dp001234')).toBeGreaterThan(
    likelihoodOf('dp00l234', 'dp009234'),
  );
  expect(likelihoodOf('muller', 'müller')).toBeGreaterThan(likelihoodOf('muller', 'maller'));
});

test('[search-7] variants are at most one error away, never the word itself, and bounded', () => {
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
