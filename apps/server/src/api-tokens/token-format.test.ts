import { expect, test } from 'vitest';
import { hashOfApiToken, newApiToken } from './token-format.ts';

test('a token has a prefix by its kind, and 256 random bits', () => {
  expect(newApiToken('personal')).toMatch(/^dpat_[0-9A-Za-z]{49}$/);
  expect(newApiToken('service')).toMatch(/^dpst_[0-9A-Za-z]{49}$/);
  expect(new Set(Array.from({ length: 100 }, () => newApiToken('personal'))).size).toBe(100);
});

test('a token with any changed character is recognized without a lookup', () => {
  const token = newApiToken('personal');
  expect(hashOfApiToken(token)).toMatch(/^[0-9a-f]{64}$/);
  const changed = Array.from({ length: token.length - 5 }, (_, index) => {
    const at = index + 5;
    return `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
  });
  expect(changed.filter((each) => hashOfApiToken(each) !== undefined)).toEqual([]);
});

test.each(['', 'dpat_', 'dpscim_abc', `dpxx_${'a'.repeat(49)}`, `dpat_${'a'.repeat(48)}-`])(
  'is no token: %s',
  (text) => expect(hashOfApiToken(text)).toBeUndefined(),
);

test('a token of another kind is not valid, because the checksum includes the prefix', () => {
  expect(hashOfApiToken(newApiToken('personal').replace('dpat_', 'dpst_'))).toBeUndefined();
});
