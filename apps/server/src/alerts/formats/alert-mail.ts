import { messageWords } from '../../messages/message-words.ts';
import { mail, type RenderedMessage } from '../../messages/render-message.ts';
import type { AlertNotice } from '../alert-notice.ts';
import { alertUrl, noticeWords } from './notice-words.ts';

/** A notice as an email in the language of the owner of its rule. */
export function alertMail(notice: AlertNotice, publicUrl: string): RenderedMessage {
  const { title, facts, open } = noticeWords(notice);
  const { language } = notice;
  const separator = language === 'en' ? ': ' : '：';
  return mail({
    ...{ language, subject: title, lead: title },
    button: { label: open, url: alertUrl(publicUrl) },
    notes: facts.map(({ name, value }) => `${name}${separator}${value}`),
    footer: messageWords[language].footer,
  });
}
