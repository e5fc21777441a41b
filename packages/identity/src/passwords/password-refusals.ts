import type { Refusal } from '../provider/wire/provider-error.ts';

const WEAK = 2230;

/** Why a password may not be a new one. */
export const passwordRefusals = {
  tooWeak: { code: WEAK, en: 'The password is too weak', zh: '密码强度不足' },
  tooLong: { code: WEAK, en: 'The password is too long', zh: '密码过长' },
  tooCommon: {
    code: WEAK,
    en: 'The password is easy to guess. Choose another one.',
    zh: '密码过于常见，请更换',
  },
} as const satisfies Record<string, Refusal>;

export const tooShort = (shortest: number): Refusal => ({
  code: WEAK,
  en: `Use at least ${shortest} characters for the password`,
  zh: `密码至少需要 ${shortest} 个字符`,
});
