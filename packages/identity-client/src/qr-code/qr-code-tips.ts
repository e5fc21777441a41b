import { say } from '../core/language.ts';

/** Texts of the QR code box. */
export interface QrCodeTips {
  readonly title: string;
  readonly expired: string;
  readonly succeed: string;
  readonly retry: string;
  readonly middleTitle: string;
  readonly referText: string;
}

const SENTENCES = {
  title: { zh: '请在移动端确认账号登录', en: 'Please be on the mobile' },
  expired: { zh: '二维码已过期', en: 'QR code has expired' },
  succeed: { zh: '扫码成功', en: 'Scan code successfully' },
  retry: { zh: '重试', en: 'Retry' },
  middleTitle: { zh: '确认登录', en: 'Confirm login' },
  referText: { zh: '重新扫码', en: 'Scan the code' },
};

/** Texts in the client's language, with the application's own texts in their place. */
export function qrCodeTips(lang: string, own: Partial<QrCodeTips> = {}): QrCodeTips {
  const given = Object.entries(own).filter(([, text]) => Boolean(text));
  return {
    title: say(lang, SENTENCES.title),
    expired: say(lang, SENTENCES.expired),
    succeed: say(lang, SENTENCES.succeed),
    retry: say(lang, SENTENCES.retry),
    middleTitle: say(lang, SENTENCES.middleTitle),
    referText: say(lang, SENTENCES.referText),
    ...Object.fromEntries(given),
  };
}
