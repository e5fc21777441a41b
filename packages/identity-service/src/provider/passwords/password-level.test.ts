import { expect, it } from 'vitest';
import { isStrongEnough } from './password-level.ts';

it.each([64, 128])(
  '[password-length-1] a phrase of %i characters is taken, spaces and all',
  (length) => {
    expect(isStrongEnough('correct horse '.repeat(10).slice(0, length), 1)).toBe(true);
  },
);

it('[password-length-2] more than 128 characters are refused', () => {
  expect(isStrongEnough('a'.repeat(129), 0)).toBe(false);
});
