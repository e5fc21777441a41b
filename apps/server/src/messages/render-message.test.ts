import { describe, expect, test } from 'vitest';
import { messageLanguages } from './message-words.ts';
import { messageLanguage, renderMessage } from './render-message.ts';
import { sampleKinds, sampleMessage } from './sample-messages.ts';
import { smsLength } from './sms-length.ts';

const at = new Date('2026-11-20T11:02:00Z');
const everyMessage = sampleKinds.flatMap((kind) =>
  messageLanguages.map((language) => ({ kind, language })),
);

describe('rendered messages', () => {
  test.each(everyMessage)('renders $kind in $language completely, as text and HTML', (sample) => {
    const message = sampleMessage(sample.kind, { ...sample, channel: 'email', at });
    const { subject, text, html = '' } = renderMessage(message);
    expect(subject).toContain('Device Portal');
    for (const part of [text, html]) {
      expect(part).not.toMatch(/undefined|NaN|Invalid|\[object/);
      if (message.kind === 'code') expect(part).toContain('123456');
      if (message.kind !== 'code') expect(part).toContain('https://portal.example.com');
      if (message.kind !== 'welcome') expect(part).toContain('198.51.100.7');
    }
    expect(html).toContain(`<html lang="${sample.language}">`);
    expect(/\p{Script=Han}/u.test(`${subject}${text}`)).toBe(sample.language === 'zh-CN');
  });

  test.each(everyMessage)('loads no external content in $kind in $language', (sample) => {
    const message = sampleMessage(sample.kind, { ...sample, channel: 'email', at });
    const { html } = renderMessage(message);
    expect(html).not.toMatch(/<(img|script|link|iframe|object|video)|url\(|src=|@import/i);
  });

  test.each(everyMessage)('fits $kind in $language into one text message', (sample) => {
    const message = sampleMessage(sample.kind, { ...sample, channel: 'sms', at });
    const { text, html } = renderMessage(message);
    expect(html).toBeUndefined();
    expect(smsLength(text)).toMatchObject({
      alphabet: sample.language === 'en' ? 'GSM-7' : 'UCS-2',
      fitsOne: true,
    });
    if (message.kind === 'code') expect(text.startsWith('123456 ')).toBe(true);
  });

  test("shows the expiry of a code in the recipient's time zone", () => {
    const end = (timeZone: string | undefined, locale = 'en') =>
      renderMessage({
        ...sampleMessage('login', { language: 'en', channel: 'email', at }),
        locale,
        timeZone,
      }).text;
    expect(end('Europe/Warsaw')).toContain('The code is valid until 12:05 CET, 3 minutes after');
    expect(end('America/New_York')).toContain('until 06:05 GMT-5');
    expect(end('Asia/Shanghai', 'zh-CN')).toContain('有效期至 GMT+8 19:05');
    expect(end(undefined)).toContain('until 11:05 UTC');
    expect(end('Middle-earth/Shire')).toContain('until 11:05 UTC');
  });

  test('selects the language by locale, and English for every other one', () => {
    expect(['zh', 'zh-CN', 'zh_TW', 'ZH-hans'].map(messageLanguage)).toEqual(
      Array.from({ length: 4 }, () => 'zh-CN'),
    );
    expect(['en-US', 'pl', 'zhx', '', undefined].map(messageLanguage)).toEqual(
      Array.from({ length: 5 }, () => 'en'),
    );
  });

  test('names the program that requested the code, as far as it is known', () => {
    const asked = (userAgent: string | undefined) =>
      renderMessage({
        ...sampleMessage('login', { language: 'en', channel: 'email', at }),
        askedFrom: { address: '2001:db8::1', userAgent },
      }).text;
    expect(asked('Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Safari/604.1')).toContain(
      '2001:db8::1 (Safari on iOS)',
    );
    expect(asked('curl/8')).toContain('2001:db8::1 (unknown client)');
    expect(asked('<script>Chrome/1 Linux</script>')).toContain('Chrome on Linux');
  });

  test('escapes markup in values that users chose', () => {
    const { html } = renderMessage({
      kind: 'welcome',
      to: 'ada@example.com',
      channel: 'email',
      username: '<b onload="x">&',
      portalUrl: 'https://portal.example.com/?a=1&b="',
    });
    expect(html).toContain('&lt;b onload=&quot;x&quot;&gt;&amp;');
    expect(html).not.toContain('<b ');
  });
});

test('shortens a text message with one character outside the GSM alphabet', () => {
  expect(smsLength('a'.repeat(160))).toEqual({ alphabet: 'GSM-7', places: 160, fitsOne: true });
  expect(smsLength('a'.repeat(161)).fitsOne).toBe(false);
  expect(smsLength('€'.repeat(81))).toEqual({ alphabet: 'GSM-7', places: 162, fitsOne: false });
  expect(smsLength(`${'a'.repeat(70)}码`)).toMatchObject({ alphabet: 'UCS-2', fitsOne: false });
  expect(smsLength('😀'.repeat(35))).toMatchObject({ places: 70, fitsOne: true });
});
