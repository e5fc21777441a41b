import { randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keyIdOf, openText, sealText, type PersonKey } from './sealed-text.ts';

const newKey = (): PersonKey => ({ id: randomUUID(), key: new Uint8Array(randomBytes(32)) });
const text = fc.string({ unit: 'binary', maxLength: 300 }).map((each) => each.toWellFormed());

test('any text is decrypted only with its key, and sealing is deterministic for each key', () => {
  const [one, other] = [newKey(), newKey()];
  fc.assert(
    fc.property(text, (plain) => {
      const sealed = sealText(one, plain);
      expect(openText(one, sealed)).toBe(plain);
      expect(sealText(one, plain)).toBe(sealed);
      expect(keyIdOf(sealed)).toBe(one.id);
      expect(sealText(other, plain)).not.toBe(sealed);
      expect(() => openText({ ...other, id: one.id }, sealed)).toThrow(/invalid/);
    }),
  );
});

test('a sealed text with one changed character is rejected', () => {
  const key = newKey();
  fc.assert(
    fc.property(text, fc.nat(), (plain, at) => {
      const sealed = sealText(key, plain);
      const begin = sealed.lastIndexOf(':') + 1;
      // The last character contains bits that do not belong to the bytes.
      const place = begin + (at % (sealed.length - begin - 1));
      const changed = `${sealed.slice(0, place)}${sealed[place] === 'A' ? 'B' : 'A'}${sealed.slice(place + 1)}`;
      expect(() => openText(key, changed)).toThrow(/invalid/);
    }),
  );
});
