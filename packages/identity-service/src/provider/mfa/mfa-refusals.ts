import { z } from 'zod';
import { ProviderError, type Refusal } from '../wire/provider-error.ts';

/** 1635 and 1636 are the numbers that clients of the contract ask for a second step by; the others are ours. */
export const mfaRefusals = {
  bindSecondStep: {
    code: 1635,
    en: 'set up a second step to finish signing in',
    zh: '请先绑定二次验证方式',
  },
  secondStepNeeded: {
    code: 1636,
    en: 'a second step is needed to finish signing in',
    zh: '需要进行二次验证',
  },
  mfaTokenHasEnded: {
    code: 2401,
    en: 'the MFA token is wrong or has expired: log in again',
    zh: 'mfaToken 无效或已过期，请重新登录',
  },
  wrongTotp: { code: 2402, en: 'the number is wrong', zh: '动态口令不正确' },
  wrongRecoveryCode: {
    code: 2403,
    en: 'the recovery code is wrong or was used',
    zh: '恢复代码不正确或已使用',
  },
  totpNotBound: { code: 2404, en: 'no authenticator app is bound', zh: '尚未绑定 TOTP' },
  totpAlreadyBound: {
    code: 2405,
    en: 'an authenticator app is bound already: delete it first',
    zh: '已绑定 TOTP，请先解绑',
  },
  methodNotOffered: {
    code: 2406,
    en: 'this second step is not offered for the account',
    zh: '该账号不支持此二次验证方式',
  },
  contactNotYours: {
    code: 2407,
    en: 'this address or number is not the one of the account',
    zh: '邮箱或手机号与账号不符',
  },
  unknownAuthenticator: {
    code: 2408,
    en: 'only authenticators of type totp are known',
    zh: '仅支持 totp 类型',
  },
} as const satisfies Record<string, Refusal>;

const hintsSchema = z.object({ mfaToken: z.string() });

/** What proves the first step, where a sign-in was refused until a second one is done; undefined for other errors. */
export function mfaTokenOf(error: unknown): string | undefined {
  if (!(error instanceof ProviderError) || !isMfaRefusal(error.refusal)) return undefined;
  return hintsSchema.safeParse(error.data).data?.mfaToken;
}

/** Whether a sign-in was refused only until a second step is done. */
export function isMfaRefusal({ code }: Refusal): boolean {
  return code === mfaRefusals.bindSecondStep.code || code === mfaRefusals.secondStepNeeded.code;
}
