import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packagesSchema } from '@deviceportal/device-protocol/journal';
import { cutPackageList } from './cut-package-list.ts';

const listArbitrary = fc.array(
  fc.record({
    name: fc.stringMatching(/^[a-c]{1,4}$/),
    version: fc.stringMatching(/^[0-9]{1,2}$/),
  }),
  { maxLength: 1_500 },
);

test('splits a list completely, without duplicates or gaps', () => {
  fc.assert(
    fc.property(listArbitrary, (list) => {
      const pieces = cutPackageList(list);
      expect(pieces.flatMap(({ packages }) => packages)).toHaveLength(list.length);
      expect(pieces[0]?.after).toBeNull();
      expect(pieces.at(-1)?.upTo).toBeNull();
      for (const [at, piece] of pieces.entries()) {
        expect(piece.after).toBe(pieces[at - 1]?.upTo ?? null);
        for (const { name } of piece.packages) {
          expect(piece.after === null || name > piece.after).toBe(true);
          expect(piece.upTo === null || name <= piece.upTo).toBe(true);
        }
        const entry = { seq: 1, at: new Date(0).toISOString(), ...piece };
        expect(packagesSchema.safeParse(entry).success).toBe(true);
      }
    }),
    { numRuns: 50 },
  );
});
