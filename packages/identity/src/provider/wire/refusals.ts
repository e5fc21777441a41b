import type { Refusal } from './provider-error.ts';

/**
 * Rejections of the provider's own calls. 2224 is the number of docs/design/sign-in.md, section 8;
 * the other numbers are our own. Folders with specific rejections define them next to their calls.
 */
export const refusals = {
  invalidParameters: { code: 400, en: 'Invalid parameters', zh: '参数不合法' },
  notFound: { code: 404, en: 'No such call', zh: '接口不存在' },
  internal: { code: 500, en: 'Internal error', zh: '服务器内部错误' },
  tooManyRequests: {
    code: 429,
    en: 'Too many attempts. Try again later.',
    zh: '操作过于频繁，请稍后再试',
  },
  applicationDoesNotExist: { code: 1001, en: 'Application not found', zh: '应用不存在' },
  userPoolDoesNotExist: { code: 1002, en: 'User pool not found', zh: '用户池不存在' },
  registrationIsClosed: { code: 1003, en: 'Registration is closed', zh: '已禁止注册' },
  addressIsNotProven: {
    code: 1006,
    en: 'Registration requires a code that was sent to your email address or phone number',
    zh: '注册需要使用发送至您邮箱或手机的验证码',
  },
  fieldIsNotYours: {
    code: 1004,
    en: 'You can’t change this field',
    zh: '不允许修改该字段',
  },
  notAllowed: { code: 1005, en: 'You don’t have permission', zh: '没有权限' },
  wrongCode: { code: 2001, en: 'Incorrect code', zh: '验证码不正确' },
  codeExpired: {
    code: 2002,
    en: 'The code has expired. Request a new one.',
    zh: '验证码已失效，请重新获取',
  },
  codeTriesUsed: {
    code: 2003,
    en: 'Too many incorrect codes. Request a new one.',
    zh: '验证码错误次数过多，请重新获取',
  },
  userDoesNotExist: { code: 2004, en: 'user does not exist', zh: '用户不存在' },
  userIsBlocked: { code: 2005, en: 'The account is locked', zh: '账号已锁定' },
  pleaseLogIn: { code: 2020, en: 'Sign in first', zh: '请先登录！' },
  sessionHasEnded: {
    code: 2021,
    en: 'The session has ended. Sign in again.',
    zh: '登录状态已失效，请重新登录',
  },
  userExists: { code: 2026, en: 'User already exists', zh: '用户已存在' },
  wrongPassword: { code: 2333, en: 'Incorrect account or password', zh: '账号或密码错误' },
  /** docs/design/sign-in.md, section 8: response to requesting a sign-in code by email. */
  userNotAuthorized: { code: 2224, en: 'user not authorized', zh: '用户未获授权' },
  unreadablePassword: { code: 2231, en: 'The password can’t be decrypted', zh: '密码无法解密' },
  wrongOldPassword: { code: 2232, en: 'Incorrect current password', zh: '原密码不正确' },
  ticketHasEnded: { code: 2233, en: 'Invalid or expired token', zh: '令牌无效或已过期' },
} as const satisfies Record<string, Refusal>;
