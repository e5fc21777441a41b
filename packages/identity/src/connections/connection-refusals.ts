import type { Refusal } from '../provider/wire/provider-error.ts';

/** Errors of sign-in with external accounts; the numbers are our own. */
export const connectionRefusals = {
  unknownConnection: {
    code: 2300,
    en: 'identity provider config does not exist',
    zh: '身份源配置不存在',
  },
  interactionHasEnded: {
    code: 2301,
    en: 'The sign-in expired or is already completed. Sign in again.',
    zh: '登录已超时或已完成，请重新开始',
  },
  otherBrowser: {
    code: 2302,
    en: 'The sign-in was started in another browser',
    zh: '登录并非由此浏览器发起',
  },
  refusedElsewhere: {
    code: 2303,
    en: 'The external provider did not sign you in',
    zh: '外部身份源未能完成登录',
  },
  unreachable: {
    code: 2304,
    en: 'The external provider can’t be reached. Try again later.',
    zh: '无法连接外部身份源，请稍后重试',
  },
  noAccountHere: {
    code: 2305,
    en: 'You don’t have an account here. Contact an administrator.',
    zh: '没有您的账号，请联系管理员',
  },
  emailIsTaken: {
    code: 2306,
    en: 'An account with this email address already exists. Sign in with a code that is sent to this address.',
    zh: '该邮箱已有账号，请使用发送至该邮箱的验证码登录',
  },
  originNotAllowed: {
    code: 2307,
    en: 'This page does not belong to the application',
    zh: '该页面不属于此应用',
  },
} as const satisfies Record<string, Refusal>;
