import { describe, expect, it } from 'vitest';
import { loginCodeText } from './login-code-text.ts';

const input = { code: '012345', channel: 'email', validMinutes: 3, locale: undefined } as const;

describe('text of a sign-in code', () => {
  it('[text-1] speaks the language of the person, English otherwise', () => {
    expect(loginCodeText({ ...input, locale: 'zh-CN' }).text).toContain('验证码');
    expect(loginCodeText({ ...input, locale: 'pl' }).text).toContain('sign-in code');
    expect(loginCodeText(input).text).toContain('sign-in code');
  });

  it.each(['en', 'zh-CN'])(
    '[text-2] an SMS in %s fits one message and starts with the code',
    (locale) => {
      const { text } = loginCodeText({ ...input, channel: 'sms', locale });
      expect(text.startsWith('012345 ')).toBe(true);
      // GSM 03.38 carries 160 characters a message; with Chinese ones UCS-2 carries 70.
      expect(text.length).toBeLessThanOrEqual(locale === 'en' ? 160 : 70);
    },
  );
});
