import type {
  AccountChangedNotice,
  AccountLockedNotice,
  CodeMessage,
  OutgoingMessage,
  PasswordResetNotice,
  WelcomeMessage,
} from '@deviceportal/identity/messenger';
import { describeProgram } from './describe-program.ts';
import { messageHtml, type MailParts } from './message-html.ts';
import { dayAndTime, knownTimeZone, timeOfDay } from './message-time.ts';
import { messageWords, type MessageLanguage, type MessageWords } from './message-words.ts';

/** A message in its final form: emails have a subject and text in both formats, text messages only plain text. */
export interface RenderedMessage {
  readonly subject: string;
  readonly text: string;
  /** Undefined for text messages. */
  readonly html: string | undefined;
}

interface Reader {
  readonly language: MessageLanguage;
  readonly timeZone: string;
  readonly words: MessageWords;
}

/** The recipient's language by their locale (`zh`, `zh_CN`, `zh-Hans-CN`); English if it is not supported. */
export function messageLanguage(locale: string | undefined): MessageLanguage {
  return /^zh\b|^zh_/i.test(locale ?? '') ? 'zh-CN' : 'en';
}

/** Renders a message in its recipient's language, with times in their time zone. */
export function renderMessage(message: OutgoingMessage): RenderedMessage {
  const language = messageLanguage(message.locale);
  const reader: Reader = {
    language,
    timeZone: knownTimeZone(message.timeZone),
    words: messageWords[language],
  };
  switch (message.kind) {
    case 'code':
      return message.channel === 'sms' ? codeSms(message, reader) : codeMail(message, reader);
    case 'welcome':
      return welcome(message, reader);
    case 'password-reset-notification':
      return passwordReset(message, reader);
    case 'account-changed':
      return accountChanged(message, reader);
    case 'account-locked':
      return accountLocked(message, reader);
  }
}

function codeSms({ purpose, code, expiresAt }: CodeMessage, reader: Reader): RenderedMessage {
  const { words, language, timeZone } = reader;
  const subject = words.purposes[purpose].subject(code);
  const until = words.smsValidUntil(timeOfDay(expiresAt, language, timeZone));
  const text = language === 'en' ? `${subject}. ${until}` : `${subject}，${until}`;
  return { subject, text, html: undefined };
}

function codeMail(message: CodeMessage, reader: Reader): RenderedMessage {
  const { purpose, code, sentAt, expiresAt } = message;
  const { words, language, timeZone } = reader;
  const minutes = Math.round((expiresAt.getTime() - sentAt.getTime()) / 60_000);
  return mail({
    language,
    subject: words.purposes[purpose].subject(code),
    lead: words.purposes[purpose].lead,
    code: { label: words.codeHint, digits: code },
    notes: [
      words.validUntil({ time: timeOfDay(expiresAt, language, timeZone), minutes }),
      ...origin(message, words),
      words.notYou,
      words.neverAsked,
    ],
    footer: words.footer,
  });
}

function welcome(message: WelcomeMessage, { words, language }: Reader): RenderedMessage {
  const { subject, lead, username, how, button, sms } = words.welcome;
  if (message.channel === 'sms') return { subject, text: sms(message), html: undefined };
  return mail({
    language,
    subject,
    lead,
    fact: username(message.username),
    button: { label: button, url: message.portalUrl },
    notes: [how],
    footer: words.footer,
  });
}

function passwordReset(message: PasswordResetNotice, reader: Reader): RenderedMessage {
  const { words, language, timeZone } = reader;
  const { subject, lead, notYou, button, sms } = words.passwordReset;
  if (message.channel === 'sms') {
    return { subject, text: sms(timeOfDay(message.at, language, timeZone)), html: undefined };
  }
  const time = dayAndTime(message.at, language, timeZone);
  return mail({
    language,
    subject,
    lead: lead({ username: message.username, time }),
    button: { label: button, url: message.portalUrl },
    notes: [...origin(message, words), notYou],
    footer: words.footer,
  });
}

function accountChanged(message: AccountChangedNotice, reader: Reader): RenderedMessage {
  const { words, language, timeZone } = reader;
  const { subject, leads, notAsked, sms } = words.accountChanged;
  if (message.channel === 'sms') {
    return { subject, text: sms(timeOfDay(message.at, language, timeZone)), html: undefined };
  }
  const time = dayAndTime(message.at, language, timeZone);
  const { notYou, button } = words.passwordReset;
  return mail({
    language,
    subject,
    lead: leads[message.change]({ username: message.username, time }),
    button: { label: button, url: message.portalUrl },
    notes: [...origin(message, words), message.change === 'passkeys-removed' ? notAsked : notYou],
    footer: words.footer,
  });
}

function accountLocked(message: AccountLockedNotice, reader: Reader): RenderedMessage {
  const { words, language, timeZone } = reader;
  const { subject, lead, sessions, how, button, sms } = words.accountLocked;
  if (message.channel === 'sms') {
    return { subject, text: sms(timeOfDay(message.at, language, timeZone)), html: undefined };
  }
  const time = dayAndTime(message.at, language, timeZone);
  return mail({
    language,
    subject,
    lead: lead({ username: message.username, time }),
    fact: how,
    button: { label: button, url: message.portalUrl },
    notes: [sessions, ...origin(message, words)],
    footer: words.footer,
  });
}

function origin({ askedFrom }: OutgoingMessage, words: MessageWords): string[] {
  if (askedFrom === undefined) return [];
  const program = describeProgram(askedFrom.userAgent, words);
  return [words.askedFrom({ address: askedFrom.address, program })];
}

export function mail(parts: MailParts): RenderedMessage {
  const { subject, lead, code, fact, button, notes, footer } = parts;
  const paragraphs = [lead, code?.digits, fact, button?.url, notes.join('\n')];
  const body = paragraphs.filter((one) => one !== undefined).join('\n\n');
  return { subject, text: `${body}\n\n--\n${footer}\n`, html: messageHtml(parts) };
}
