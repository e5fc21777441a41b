import type { Refusal } from './provider-error.ts';

/**
 * What the provider's own calls refuse with. 2224 is the number of the sign-in specification, section 8; the other
 * numbers are ours. A folder with refusals of its own keeps them beside its calls.
 */
export const refusals = {
  invalidParameters: { code: 400, en: 'invalid parameters', zh: '参数不合法' },
  notFound: { code: 404, en: 'there is no such call', zh: '接口不存在' },
  internal: { code: 500, en: 'internal error', zh: '服务器内部错误' },
  tooManyRequests: {
    code: 429,
    en: 'too many attempts: try again later',
    zh: '操作过于频繁，请稍后再试',
  },
  applicationDoesNotExist: { code: 1001, en: 'application does not exist', zh: '应用不存在' },
  userPoolDoesNotExist: { code: 1002, en: 'user pool does not exist', zh: '用户池不存在' },
  registrationIsClosed: { code: 1003, en: 'registration is closed', zh: '已禁止注册' },
  addressIsNotProven: {
    code: 1006,
    en: 'registration needs a code that was sent to your e-mail address or phone number',
    zh: '注册需要使用发送至您邮箱或手机的验证码',
  },
  fieldIsNotYours: {
    code: 1004,
    en: 'this field cannot be changed by its owner',
    zh: '不允许修改该字段',
  },
  notAllowed: { code: 1005, en: 'that is not allowed to you', zh: '没有权限' },
  wrongCode: { code: 2001, en: 'the code is wrong', zh: '验证码不正确' },
  codeExpired: {
    code: 2002,
    en: 'the code has expired: ask for a new one',
    zh: '验证码已失效，请重新获取',
  },
  codeTriesUsed: {
    code: 2003,
    en: 'too many wrong codes: ask for a new one',
    zh: '验证码错误次数过多，请重新获取',
  },
  userDoesNotExist: { code: 2004, en: 'user does not exist', zh: '用户不存在' },
  userIsBlocked: { code: 2005, en: 'the account is locked', zh: '账号已被锁定' },
  pleaseLogIn: { code: 2020, en: 'please log in first', zh: '请先登录！' },
  sessionHasEnded: {
    code: 2021,
    en: 'the sign-in has ended: log in again',
    zh: '登录状态已失效，请重新登录',
  },
  userExists: { code: 2026, en: 'user already exists', zh: '用户已存在' },
  wrongPassword: { code: 2333, en: 'account or password is wrong', zh: '账号或密码错误' },
  /** Sign-in specification, section 8: the answer to asking for a login code by e-mail. */
  userNotAuthorized: { code: 2224, en: 'user not authorized', zh: '用户未获授权' },
  unreadablePassword: { code: 2231, en: 'the password cannot be read', zh: '密码无法解密' },
  wrongOldPassword: { code: 2232, en: 'the old password is wrong', zh: '原密码不正确' },
  ticketHasEnded: { code: 2233, en: 'the token is wrong or has expired', zh: '令牌无效或已过期' },
} as const satisfies Record<string, Refusal>;
