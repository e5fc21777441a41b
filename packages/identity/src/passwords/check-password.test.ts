import { expect, it } from 'vitest';
import { checkPassword } from './check-password.ts';

const check = (password: string) => checkPassword(password, { requirement: 1, shortest: 12 });

it.each([64, 128])(
  '[password-length-1] a phrase of %i characters with spaces is accepted',
  async (length) => {
    expect(await check('correct horse '.repeat(10).slice(0, length))).toBeUndefined();
  },
);

it('[password-length-2] more than 128 characters are rejected', async () => {
  const rules = { requirement: 0, shortest: 12 } as const;
  expect(await checkPassword('a'.repeat(129), rules)).toMatchObject({ code: 2230 });
});

it('[password-length-3] eleven characters are too few, twelve are enough, and both languages state the number', async () => {
  expect(await check('kx7-vmq9-rt')).toEqual({
    code: 2230,
    en: 'Use at least 12 characters for the password',
    zh: '密码至少需要 12 个字符',
  });
  expect(await check('kx7-vmq9-rtz')).toBeUndefined();
});

it.each([
  'password1234',
  'Password2024!',
  'PASSWORD@123',
  'administrator',
  '123456789012',
  'qwertyuiop[]',
  'passwordpassword',
  'aaaaaaaaaaaa',
  'abc123abc123abc123',
])('[common-password-1] %s is rejected because it is a common password', async (password) => {
  expect(await check(password)).toMatchObject({ code: 2230, zh: '密码过于常见，请更换' });
});

it.each([
  'a dragon eats soup',
  'dragon-81-kettle-07',
  'passwords are hard',
  '一只会唱歌的猫坐在窗台上',
  'P 8 1 3 9 0 2 4 7 5',
])('%s is accepted although it contains common words', async (password) => {
  expect(await check(password)).toBeUndefined();
});
