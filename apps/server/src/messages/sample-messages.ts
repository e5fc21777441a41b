import {
  accountChanges,
  type AccountChange,
  codePurposes,
  type MessageChannel,
  type OutgoingMessage,
} from '@deviceportal/identity/messenger';
import type { MessageLanguage } from './message-words.ts';

const MINUTE_MS = 60_000;

/** The names of all message templates. */
export const sampleKinds = [
  ...codePurposes,
  'welcome',
  'password-reset-notification',
  'account-locked',
  ...accountChanges,
] as const;
export type SampleKind = (typeof sampleKinds)[number];

/** A message of a kind with all of its optional parts. */
export function sampleMessage(
  kind: SampleKind,
  {
    language,
    channel,
    at,
  }: { readonly language: MessageLanguage; readonly channel: MessageChannel; readonly at: Date },
): OutgoingMessage {
  const username = 'ada@example.com';
  const reader = {
    to: channel === 'email' ? username : '+48123456789',
    channel,
    locale: language,
    timeZone: language === 'en' ? 'Europe/Warsaw' : 'Asia/Shanghai',
    askedFrom: {
      address: '198.51.100.7',
      userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/148.0.0.0 Safari/537.36',
    },
  };
  const portalUrl = 'https://portal.example.com';
  if (kind === 'welcome') return { ...reader, kind, username, portalUrl };
  if (kind === 'password-reset-notification' || kind === 'account-locked')
    return { ...reader, kind, username, at, portalUrl };
  if (isAccountChange(kind))
    return { ...reader, kind: 'account-changed', change: kind, username, at, portalUrl };
  return {
    ...reader,
    kind: 'code',
    purpose: kind,
    code: '123456',
    sentAt: at,
    expiresAt: new Date(at.getTime() + 3 * MINUTE_MS),
  };
}

const isAccountChange = (kind: SampleKind): kind is AccountChange =>
  (accountChanges as readonly string[]).includes(kind);
