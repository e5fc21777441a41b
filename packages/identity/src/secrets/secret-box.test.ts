import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSecretBox } from './secret-box.ts';

const REFUSED = 'unable to authenticate data';
const box = createSecretBox(randomBytes(32));

describe('secret box', () => {
  it('[box-1] opens a sealed value only for its owner', () => {
    const texts = fc.tuple(fc.string({ unit: 'grapheme' }), fc.string(), fc.string());
    fc.assert(
      fc.property(texts, ([secret, owner, other]) => {
        fc.pre(other !== owner);
        const sealed = box.seal(secret, owner);
        expect(box.open(sealed, owner)).toBe(secret);
        expect(() => box.open(sealed, other)).toThrow(REFUSED);
      }),
    );
  });

  it('[box-2] does not open a box with any changed byte', () => {
    const sealed = box.seal('secret', 'owner');
    for (let index = 0; index < sealed.length; index += 1) {
      const changed = Buffer.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => box.open(changed, 'owner')).toThrow(REFUSED);
    }
  });

  it('[box-3] does not open a box with another key', () => {
    const sealed = box.seal('secret', 'owner');
    expect(() => createSecretBox(randomBytes(32)).open(sealed, 'owner')).toThrow(REFUSED);
  });
});
