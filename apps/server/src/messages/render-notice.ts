import type { MessageChannel } from '@deviceportal/identity/messenger';
import { messageWords, type MessageLanguage } from './message-words.ts';
import { mail, type RenderedMessage } from './render-message.ts';

export interface NoticeText {
  readonly title: string;
  readonly body: string;
  /** Link to the subject of the notice. */
  readonly url: string;
}

/** Renders given texts as an email or a text message. */
export function renderNotice(
  { title, body, url }: NoticeText,
  { language, channel }: { readonly language: MessageLanguage; readonly channel: MessageChannel },
): RenderedMessage {
  if (channel === 'sms') return { subject: title, text: `${title} ${url}`, html: undefined };
  const words = messageWords[language];
  return mail({
    language,
    subject: title,
    lead: title,
    ...(body === '' ? {} : { fact: body }),
    button: { label: words.welcome.button, url },
    notes: [],
    footer: words.footer,
  });
}
