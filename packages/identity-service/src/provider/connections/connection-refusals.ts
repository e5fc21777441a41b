import type { Refusal } from '../wire/provider-error.ts';

/** What signing in with an account elsewhere is refused with; the numbers are ours. */
export const connectionRefusals = {
  unknownConnection: {
    code: 2300,
    en: 'identity provider config does not exist',
    zh: '身份源配置不存在',
  },
  interactionHasEnded: {
    code: 2301,
    en: 'the sign-in took too long or was finished already: begin again',
    zh: '登录已超时或已完成，请重新开始',
  },
  otherBrowser: {
    code: 2302,
    en: 'the sign-in was begun in another browser',
    zh: '登录并非由此浏览器发起',
  },
  refusedElsewhere: {
    code: 2303,
    en: 'the other provider did not sign you in',
    zh: '对方身份源未能完成登录',
  },
  unreachable: {
    code: 2304,
    en: 'the other provider cannot be reached: try again later',
    zh: '无法连接对方身份源，请稍后再试',
  },
  noAccountHere: {
    code: 2305,
    en: 'there is no account here for you: ask an administrator',
    zh: '此处没有您的账号，请联系管理员',
  },
  emailIsTaken: {
    code: 2306,
    en: 'an account with this e-mail address exists: sign in to it with a code that is sent to the address',
    zh: '该邮箱已有账号，请使用发送至该邮箱的验证码登录',
  },
  originNotAllowed: {
    code: 2307,
    en: 'this page does not belong to the application',
    zh: '该页面不属于此应用',
  },
} as const satisfies Record<string, Refusal>;
