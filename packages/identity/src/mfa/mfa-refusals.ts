import { z } from 'zod';
import { ProviderError, type Refusal } from '../provider/wire/provider-error.ts';

/** 1635 and 1636 are the numbers that clients of the contract ask for a second step by; the others are ours. */
export const mfaRefusals = {
  bindSecondStep: {
    code: 1635,
    en: 'Set up a second factor to finish signing in',
    zh: '请先绑定二次验证方式',
  },
  secondStepNeeded: {
    code: 1636,
    en: 'A second factor is required to finish signing in',
    zh: '需要进行二次验证',
  },
  mfaTokenHasEnded: {
    code: 2401,
    en: 'Invalid or expired MFA token. Sign in again.',
    zh: 'MFA 令牌无效或已过期，请重新登录',
  },
  wrongTotp: { code: 2402, en: 'Incorrect code', zh: '验证码不正确' },
  wrongRecoveryCode: {
    code: 2403,
    en: 'The recovery code is incorrect or already used',
    zh: '恢复码不正确或已使用',
  },
  totpNotBound: { code: 2404, en: 'No authenticator app is set up', zh: '尚未绑定身份验证器' },
  totpAlreadyBound: {
    code: 2405,
    en: 'An authenticator app is already set up. Remove it first.',
    zh: '已绑定身份验证器，请先解绑',
  },
  methodNotOffered: {
    code: 2406,
    en: 'This second factor is not available for the account',
    zh: '该账号不支持此二次验证方式',
  },
  contactNotYours: {
    code: 2407,
    en: 'This email address or phone number does not belong to the account',
    zh: '邮箱或手机号与账号不符',
  },
  unknownAuthenticator: {
    code: 2408,
    en: 'Only authenticators of type totp are supported',
    zh: '仅支持 totp 类型',
  },
  passkeyNotAllowed: {
    code: 2410,
    en: 'This passkey can’t sign you in. Use a code or a password, and turn on sign-in with a passkey in your profile.',
    zh: '无法使用此通行密钥登录。请使用验证码或密码，并在个人资料中启用通行密钥登录',
  },
  wrongPasskey: {
    code: 2409,
    en: 'The passkey could not be verified. Try again.',
    zh: '无法验证通行密钥，请重试',
  },
} as const satisfies Record<string, Refusal>;

const hintsSchema = z.object({ mfaToken: z.string() });

/**
 * Proof of the first factor, in the error of a sign-in that requires a second one; undefined for
 * other errors.
 */
export function mfaTokenOf(error: unknown): string | undefined {
  if (!(error instanceof ProviderError) || !isMfaRefusal(error.refusal)) return undefined;
  return hintsSchema.safeParse(error.data).data?.mfaToken;
}

/** Whether a sign-in was refused only until a second step is done. */
export function isMfaRefusal({ code }: Refusal): boolean {
  return code === mfaRefusals.bindSecondStep.code || code === mfaRefusals.secondStepNeeded.code;
}
