export type PageLanguage = 'en' | 'zh-CN';

/** Texts of the phone page with placeholders `{…}`. */
export interface PhonePageTexts {
  readonly title: string;
  readonly question: string;
  readonly warning: string;
  readonly from: string;
  readonly browser: string;
  readonly asked: string;
  readonly secondsAgo: string;
  readonly sameNetwork: string;
  readonly otherNetwork: string;
  readonly unknown: string;
  readonly signedInAs: string;
  readonly confirm: string;
  readonly cancel: string;
  readonly otherAccount: string;
  readonly signInFirst: string;
  readonly account: string;
  readonly sendCode: string;
  readonly codeSent: string;
  readonly code: string;
  readonly signIn: string;
  readonly startAgain: string;
  readonly confirmed: string;
  readonly confirmedSecondStep: string;
  readonly cancelled: string;
  readonly ended: string;
  readonly failed: string;
  readonly wrongCode: string;
  readonly wrongAccount: string;
  readonly tooMany: string;
}

const en: PhonePageTexts = {
  title: 'Confirm sign-in',
  question: 'Sign in to {application} on another device?',
  warning:
    'Confirm only if you just opened the sign-in page yourself. The device that shows this QR code will be signed in as you.',
  from: 'Address',
  browser: 'Browser',
  asked: 'Requested',
  secondsAgo: '{seconds} seconds ago',
  sameNetwork: 'On the same network as this phone.',
  otherNetwork: 'On a different network than this phone.',
  unknown: 'Unknown',
  signedInAs: 'You are signed in as {name}.',
  confirm: 'Yes, sign in',
  cancel: 'No, cancel',
  otherAccount: 'Use another account',
  signInFirst: 'Sign in on this phone first. You only need to do this once.',
  account: 'Email or phone number',
  sendCode: 'Send code',
  codeSent: 'If an account exists for {account}, a code was sent to it.',
  code: 'Code',
  signIn: 'Sign in',
  startAgain: 'Start over',
  confirmed: 'Done. The other device is signed in. You can close this page.',
  confirmedSecondStep: 'Confirmed. Enter your second factor on the other device.',
  cancelled: 'Canceled. No device was signed in.',
  ended:
    'This QR code has expired or was already used. Load a new one on the other device and scan it.',
  failed: 'Your account can’t sign in. Contact an administrator.',
  wrongCode: 'The code is incorrect or has expired.',
  wrongAccount: 'Enter a valid email address or phone number.',
  tooMany: 'Too many attempts. Try again in a few minutes.',
};

const zh: PhonePageTexts = {
  title: '确认登录',
  question: '确定要在另一台设备上登录 {application} 吗？',
  warning: '请仅在您本人刚刚打开登录页面时确认。确认后，显示此二维码的设备将以您的身份登录。',
  from: '地址',
  browser: '浏览器',
  asked: '请求时间',
  secondsAgo: '{seconds} 秒前',
  sameNetwork: '该设备与本手机处于同一网络。',
  otherNetwork: '该设备与本手机不在同一网络。',
  unknown: '未知',
  signedInAs: '当前登录账号：{name}。',
  confirm: '确认登录',
  cancel: '取消',
  otherAccount: '使用其他账号',
  signInFirst: '请先在本手机上登录，仅需一次。',
  account: '邮箱或手机号',
  sendCode: '发送验证码',
  codeSent: '如果 {account} 已有对应的账号，验证码已发送。',
  code: '验证码',
  signIn: '登录',
  startAgain: '重新开始',
  confirmed: '已完成。另一台设备已登录，您可以关闭此页面。',
  confirmedSecondStep: '已确认。请在另一台设备上完成二次验证。',
  cancelled: '已取消，没有设备登录。',
  ended: '二维码已失效或已使用。请在另一台设备上刷新二维码后重新扫描。',
  failed: '您的账号无法登录，请联系管理员。',
  wrongCode: '验证码不正确或已失效。',
  wrongAccount: '请输入有效的邮箱或手机号。',
  tooMany: '尝试次数过多，请几分钟后重试。',
};

export function phonePageTexts(language: PageLanguage): PhonePageTexts {
  return language === 'zh-CN' ? zh : en;
}

/** Chinese where the browser prefers it. */
export function pageLanguageOf(acceptLanguage: string | undefined): PageLanguage {
  return /^\s*zh\b/i.test(acceptLanguage ?? '') ? 'zh-CN' : 'en';
}

/** Fills `{name}` in; what is filled in is escaped by the page. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
