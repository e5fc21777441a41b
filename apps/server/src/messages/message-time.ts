import type { MessageLanguage } from './message-words.ts';

/** A time of day, for codes that are valid for minutes: `14:05 GMT+2`. */
export function timeOfDay(at: Date, language: MessageLanguage, timeZone: string): string {
  return format(at, language, { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
}

/** Date and time: `20 November 2026 at 14:05 GMT+2`. */
export function dayAndTime(at: Date, language: MessageLanguage, timeZone: string): string {
  return format(at, language, {
    timeZone,
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
}

/** The time zone if this machine knows it; users can enter any text. */
export function knownTimeZone(timeZone: string | undefined): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: timeZone ?? 'UTC' }).resolvedOptions()
      .timeZone;
  } catch {
    return 'UTC';
  }
}

function format(at: Date, language: MessageLanguage, options: Intl.DateTimeFormatOptions): string {
  const locale = language === 'en' ? 'en-GB' : language;
  return new Intl.DateTimeFormat(locale, { ...options, timeZoneName: 'short' })
    .format(at)
    .replaceAll(/[\u00a0\u202f]/g, ' ');
}
