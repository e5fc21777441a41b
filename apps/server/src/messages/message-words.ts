import type { AccountChange, CodePurpose } from '@deviceportal/identity/messenger';

export const messageLanguages = ['en', 'zh-CN'] as const;
export type MessageLanguage = (typeof messageLanguages)[number];

/** The texts for one purpose of a code. */
interface PurposeWords {
  /** Contains the code, so that a notification shows it. */
  readonly subject: (code: string) => string;
  /** What the code is for. */
  readonly lead: string;
}

/** All texts of messages in one language. */
export interface MessageWords {
  readonly purposes: Readonly<Record<CodePurpose, PurposeWords>>;
  readonly codeHint: string;
  readonly validUntil: (input: { readonly time: string; readonly minutes: number }) => string;
  readonly smsValidUntil: (time: string) => string;
  readonly askedFrom: (input: { readonly address: string; readonly program: string }) => string;
  readonly unknownProgram: string;
  readonly program: (browser: string, system: string) => string;
  readonly notYou: string;
  readonly neverAsked: string;
  readonly footer: string;
  readonly welcome: {
    readonly subject: string;
    readonly lead: string;
    readonly username: (username: string) => string;
    readonly how: string;
    readonly button: string;
    readonly sms: (input: { readonly username: string; readonly portalUrl: string }) => string;
  };
  readonly passwordReset: {
    readonly subject: string;
    readonly lead: (input: { readonly username: string; readonly time: string }) => string;
    readonly notYou: string;
    readonly button: string;
    readonly sms: (time: string) => string;
  };
  readonly accountChanged: {
    readonly subject: string;
    readonly leads: Readonly<
      Record<AccountChange, (input: { readonly username: string; readonly time: string }) => string>
    >;
    /** For a change by an administrator. */
    readonly notAsked: string;
    readonly sms: (time: string) => string;
  };
  readonly accountLocked: {
    readonly subject: string;
    readonly lead: (input: { readonly username: string; readonly time: string }) => string;
    readonly sessions: string;
    readonly how: string;
    readonly button: string;
    readonly sms: (time: string) => string;
  };
}

const english: MessageWords = {
  purposes: {
    login: purpose('sign-in code', 'Enter this code to sign in.'),
    register: purpose('registration code', 'Enter this code to finish your registration.'),
    'reset-password': purpose('password reset code', 'Enter this code to set a new password.'),
    'change-password': purpose('password change code', 'Enter this code to change your password.'),
    'verify-email': purpose(
      'verification code',
      'Enter this code to confirm that this email address is yours.',
    ),
    'change-email': purpose(
      'email change code',
      'Enter this code to change your account to this email address.',
    ),
    'bind-email': purpose(
      'email code',
      'Enter this code to add this email address to your account.',
    ),
    'unbind-email': purpose(
      'email code',
      'Enter this code to remove this email address from your account.',
    ),
    'bind-phone': purpose(
      'phone code',
      'Enter this code to add this phone number to your account.',
    ),
    'unbind-phone': purpose(
      'phone code',
      'Enter this code to remove this phone number from your account.',
    ),
    'verify-mfa': purpose(
      'second-factor code',
      'Enter this code as the second factor of your sign-in.',
    ),
    'bind-mfa': purpose('second-factor code', 'Enter this code to turn on a second factor.'),
    'unbind-mfa': purpose('second-factor code', 'Enter this code to turn off the second factor.'),
    'complete-information': purpose(
      'account code',
      'Enter this code to complete your account details.',
    ),
    'step-up': purpose('confirmation code', 'Enter this code to confirm a sensitive action.'),
  },
  codeHint: 'Your code',
  validUntil: ({ time, minutes }) =>
    `The code is valid until ${time}, ${minutes === 1 ? 'one minute' : `${minutes} minutes`} after the request. It works once.`,
  smsValidUntil: (time) => `Valid until ${time}.`,
  askedFrom: ({ address, program }) => `Requested from ${address} (${program}).`,
  unknownProgram: 'unknown client',
  program: (browser, system) => `${browser} on ${system}`,
  notYou: 'If you didn’t request this code, ignore this message. Nothing changes without the code.',
  neverAsked: 'Device Portal never asks you for this code.',
  footer: 'This is an automated message from Device Portal. Replies are not monitored.',
  welcome: {
    subject: 'Your Device Portal account',
    lead: 'Your Device Portal account has been created.',
    username: (username) => `Your username: ${username}`,
    how: 'You don’t need a password. Each time you sign in, you receive a one-time code.',
    button: 'Open Device Portal',
    sms: ({ username, portalUrl }) =>
      `Your Device Portal account has been created. Username: ${username}. Sign in at ${portalUrl}`,
  },
  passwordReset: {
    subject: 'Your Device Portal password was changed',
    lead: ({ username, time }) => `The password of ${username} was changed at ${time}.`,
    notYou:
      'If you didn’t do this, contact your administrator immediately. Someone else may be using your account.',
    button: 'Open Device Portal',
    sms: (time) =>
      `Your Device Portal password was changed at ${time}. Not you? Contact your administrator now.`,
  },
  accountChanged: {
    subject: 'Your Device Portal sign-in settings were changed',
    leads: {
      email: ({ username, time }) => `The email address of ${username} was changed at ${time}.`,
      phone: ({ username, time }) => `The phone number of ${username} was changed at ${time}.`,
      'second-step-added': ({ username, time }) =>
        `A second factor was set up for ${username} at ${time}.`,
      'second-step-removed': ({ username, time }) =>
        `The second factor of ${username} was removed at ${time}.`,
      'recovery-code-used': ({ username, time }) =>
        `The recovery code of ${username} was used at ${time}.`,
      'account-linked': ({ username, time }) =>
        `An external account was linked to ${username} at ${time}. It can now be used to sign in.`,
      'account-unlinked': ({ username, time }) =>
        `An external account was unlinked from ${username} at ${time}.`,
      'passkey-added': ({ username, time }) => `A passkey was added for ${username} at ${time}.`,
      'passkey-removed': ({ username, time }) => `A passkey of ${username} was removed at ${time}.`,
      'passkeys-removed': ({ username, time }) =>
        `An administrator removed all passkeys and recovery codes of ${username} at ${time}.`,
      'passkey-sign-in-on': ({ username, time }) =>
        `Sign-in with a passkey instead of a code was turned on for ${username} at ${time}.`,
      'passkey-sign-in-off': ({ username, time }) =>
        `Sign-in with a passkey instead of a code was turned off for ${username} at ${time}.`,
      'recovery-codes-replaced': ({ username, time }) =>
        `New recovery codes were created for ${username} at ${time}. Earlier ones are no longer valid.`,
      'passkey-recovery-code-used': ({ username, time }) =>
        `A recovery code was used in place of a passkey of ${username} at ${time}.`,
    },
    notAsked:
      'If you didn’t ask for this, contact your administrator immediately. Someone else may be trying to use your account.',
    sms: (time) =>
      `Your Device Portal sign-in settings were changed at ${time}. Not you? Contact your administrator now.`,
  },
  accountLocked: {
    subject: 'Your Device Portal account is locked',
    lead: ({ username, time }) =>
      `The account ${username} was locked at ${time} after too many incorrect codes or passwords in a row.`,
    sessions: 'Your active sessions are not affected.',
    how: 'To sign in again, ask an administrator of Device Portal to unlock your account.',
    button: 'Open Device Portal',
    sms: (time) =>
      `Your Device Portal account was locked at ${time} after too many incorrect codes or passwords. Ask an administrator to unlock it.`,
  },
};

const chinese: MessageWords = {
  purposes: {
    login: chinesePurpose('登录验证码', '请输入此验证码完成登录。'),
    register: chinesePurpose('注册验证码', '请输入此验证码完成注册。'),
    'reset-password': chinesePurpose('重置密码验证码', '请输入此验证码设置新密码。'),
    'change-password': chinesePurpose('修改密码验证码', '请输入此验证码修改密码。'),
    'verify-email': chinesePurpose('邮箱验证码', '请输入此验证码，确认此邮箱属于您。'),
    'change-email': chinesePurpose('更换邮箱验证码', '请输入此验证码，将账号邮箱更换为此地址。'),
    'bind-email': chinesePurpose('绑定邮箱验证码', '请输入此验证码，将此邮箱绑定到您的账号。'),
    'unbind-email': chinesePurpose('解绑邮箱验证码', '请输入此验证码，将此邮箱从您的账号解绑。'),
    'bind-phone': chinesePurpose('绑定手机验证码', '请输入此验证码，将此手机号绑定到您的账号。'),
    'unbind-phone': chinesePurpose('解绑手机验证码', '请输入此验证码，将此手机号从您的账号解绑。'),
    'verify-mfa': chinesePurpose('二次验证码', '请输入此验证码完成二次验证。'),
    'bind-mfa': chinesePurpose('二次验证码', '请输入此验证码开启二次验证。'),
    'unbind-mfa': chinesePurpose('二次验证码', '请输入此验证码关闭二次验证。'),
    'complete-information': chinesePurpose('账号验证码', '请输入此验证码完善账号信息。'),
    'step-up': chinesePurpose('身份确认验证码', '请输入此验证码确认敏感操作。'),
  },
  codeHint: '您的验证码',
  validUntil: ({ time, minutes }) => `有效期至 ${time}（自请求起 ${minutes} 分钟），只能使用一次。`,
  smsValidUntil: (time) => `有效期至 ${time}。`,
  askedFrom: ({ address, program }) => `请求来自 ${address}（${program}）。`,
  unknownProgram: '未知客户端',
  program: (browser, system) => `${system} 上的 ${browser}`,
  notYou: '如非本人操作，请忽略此消息。没有验证码，您的账号不会有任何变化。',
  neverAsked: 'Device Portal 不会向您索要此验证码。',
  footer: '此消息由 Device Portal 自动发送，请勿回复。',
  welcome: {
    subject: '您的 Device Portal 账号',
    lead: '已为您创建 Device Portal 账号。',
    username: (username) => `您的用户名：${username}`,
    how: '无需密码，每次登录时您都会收到一次性验证码。',
    button: '打开 Device Portal',
    sms: ({ username, portalUrl }) =>
      `已为您创建 Device Portal 账号 ${username}，登录：${portalUrl}`,
  },
  passwordReset: {
    subject: '您的 Device Portal 密码已修改',
    lead: ({ username, time }) => `${username} 的密码已于 ${time} 修改。`,
    notYou: '如非本人操作，请立即联系管理员，您的账号可能已被他人使用。',
    button: '打开 Device Portal',
    sms: (time) => `您的 Device Portal 密码已于 ${time} 修改。非本人操作请立即联系管理员。`,
  },
  accountChanged: {
    subject: '您的 Device Portal 登录设置已修改',
    leads: {
      email: ({ username, time }) => `${username} 的邮箱已于 ${time} 修改。`,
      phone: ({ username, time }) => `${username} 的手机号已于 ${time} 修改。`,
      'second-step-added': ({ username, time }) => `${username} 已于 ${time} 设置二次验证。`,
      'second-step-removed': ({ username, time }) => `${username} 的二次验证已于 ${time} 移除。`,
      'recovery-code-used': ({ username, time }) => `${username} 的恢复码已于 ${time} 使用。`,
      'account-linked': ({ username, time }) =>
        `${username} 已于 ${time} 绑定外部账号，此后可通过该账号登录。`,
      'account-unlinked': ({ username, time }) => `${username} 已于 ${time} 解绑外部账号。`,
      'passkey-added': ({ username, time }) => `${username} 已于 ${time} 添加通行密钥。`,
      'passkey-removed': ({ username, time }) => `${username} 的一个通行密钥已于 ${time} 移除。`,
      'passkeys-removed': ({ username, time }) =>
        `管理员已于 ${time} 移除 ${username} 的全部通行密钥和恢复码。`,
      'passkey-sign-in-on': ({ username, time }) =>
        `${username} 已于 ${time} 开启使用通行密钥代替验证码登录。`,
      'passkey-sign-in-off': ({ username, time }) =>
        `${username} 已于 ${time} 关闭使用通行密钥代替验证码登录。`,
      'recovery-codes-replaced': ({ username, time }) =>
        `${username} 已于 ${time} 生成新的恢复码，原有恢复码已失效。`,
      'passkey-recovery-code-used': ({ username, time }) =>
        `${username} 的恢复码已于 ${time} 用于代替通行密钥。`,
    },
    notAsked: '如果您没有提出此请求，请立即联系管理员，您的账号可能正被他人尝试使用。',
    sms: (time) => `您的 Device Portal 登录设置已于 ${time} 修改。非本人操作请立即联系管理员。`,
  },
  accountLocked: {
    subject: '您的 Device Portal 账号已锁定',
    lead: ({ username, time }) =>
      `验证码或密码连续错误次数过多，账号 ${username} 已于 ${time} 锁定。`,
    sessions: '已登录的会话不受影响。',
    how: '如需重新登录，请联系 Device Portal 管理员解锁您的账号。',
    button: '打开 Device Portal',
    sms: (time) =>
      `您的 Device Portal 账号因验证码或密码错误次数过多已于 ${time} 锁定，请联系管理员解锁。`,
  },
};

export const messageWords: Readonly<Record<MessageLanguage, MessageWords>> = {
  en: english,
  'zh-CN': chinese,
};

function purpose(name: string, lead: string): PurposeWords {
  return { subject: (code) => `${code} is your Device Portal ${name}`, lead };
}

function chinesePurpose(name: string, lead: string): PurposeWords {
  return { subject: (code) => `${code} 是您的 Device Portal ${name}`, lead };
}
