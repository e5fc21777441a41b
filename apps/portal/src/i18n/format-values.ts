import { useMemo } from 'react';
import { countryWords } from '@deviceportal/contract/country-words';
import { keepFormats } from './keep-formats.ts';
import { useLanguage } from './language-store.ts';
import type { Language } from './languages.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

const relativeUnits = [
  ['year', 365 * DAY_MS],
  ['month', 30 * DAY_MS],
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
  ['second', SECOND_MS],
] as const;

const relative = keepFormats(
  (language) => new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' }),
);

/** Chinese texts have a space between a number and its unit: `5 分钟前`. */
const spaceUnit = (text: string): string => text.replace(/(\d)(?=\p{Script=Han})/u, '$1 ');

/**
 * `2 minutes ago`, rounded down; `in 2 hours`, rounded to the nearest unit. Below five seconds it
 * is “now”.
 */
export function formatRelative(language: Language, atMs: number, nowMs: number): string {
  const format = relative(language, undefined);
  const difference = atMs - nowMs;
  if (Math.abs(difference) < 5 * SECOND_MS)
    return language === 'zh-CN' && difference <= 0 ? '刚刚' : format.format(0, 'second');
  const isAhead = difference > 0;
  const roundedUp = (index: number): number =>
    isAhead ? (relativeUnits[index + 1]?.[1] ?? 0) / 2 : 0;
  const [unit, unitMs] =
    relativeUnits.find(([, size], index) => Math.abs(difference) + roundedUp(index) >= size) ??
    relativeUnits[5];
  const count = difference / unitMs;
  return spaceUnit(format.format(isAhead ? Math.round(count) : Math.trunc(count), unit));
}

const absolute = keepFormats(
  (language, timeZone: string | undefined) =>
    new Intl.DateTimeFormat(language, {
      year: 'numeric',
      month: 'short',
      day: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
      timeZoneName: 'short',
      ...(timeZone === undefined ? {} : { timeZone }),
    }),
);

/** The date and time with the name of the time zone, which comes last in Chinese too. */
export function formatAbsolute(language: Language, atMs: number, timeZone?: string): string {
  const text = absolute(language, timeZone).format(atMs);
  return text.replace(/ (?<zone>\S+) (?<time>[\d:]+)$/u, ' $<time> $<zone>');
}

const weekdayTime = keepFormats(
  (language) =>
    new Intl.DateTimeFormat(language, {
      weekday: 'short',
      month: 'short',
      day: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }),
);

/** `Fri, Nov 27, 08:10`, for times in the next days. */
export function formatWeekdayTime(language: Language, atMs: number): string {
  return weekdayTime(language, undefined).format(atMs);
}

/** `16:02:10`, for "updated at" lines. */
export function formatClock(language: Language, atMs: number): string {
  return new Intl.DateTimeFormat(language, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  }).format(atMs);
}

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

function formatBytes(language: Language, bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(4, Math.floor(Math.log(bytes) / Math.log(1_000)));
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: byteUnits[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power === 0 ? 0 : 1,
  }).format(bytes / 1_000 ** power);
}

const durationUnits = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
  ['second', SECOND_MS],
] as const;

/** The two largest units: `2 d 4 hr`, `3 min 20 sec`. Below ten seconds with a decimal. */
function formatDuration(language: Language, durationMs: number): string {
  const unit = (value: number, name: string, digits = 0): string =>
    spaceUnit(
      new Intl.NumberFormat(language, {
        style: 'unit',
        unit: name,
        unitDisplay: 'short',
        maximumFractionDigits: digits,
      }).format(value),
    );
  if (durationMs < SECOND_MS) return unit(Math.round(durationMs), 'millisecond');
  if (durationMs < 10 * SECOND_MS) return unit(durationMs / SECOND_MS, 'second', 1);
  const first = durationUnits.findIndex(([, size]) => durationMs >= size);
  const [name, size] = durationUnits[first] ?? durationUnits[3];
  const whole = Math.floor(durationMs / size);
  const next = durationUnits[first + 1];
  const rest = next ? Math.floor((durationMs - whole * size) / next[1]) : 0;
  const parts = [unit(whole, name), ...(next && rest > 0 ? [unit(rest, next[0])] : [])];
  return parts.join(' ');
}

const plainNumber = keepFormats((language) => new Intl.NumberFormat(language));

export interface Formatters {
  readonly number: (value: number) => string;
  readonly percent: (share: number) => string;
  readonly bytes: (bytes: number) => string;
  readonly duration: (durationMs: number) => string;
  readonly clock: (atMs: number) => string;
  readonly absolute: (atMs: number, timeZone?: string) => string;
  readonly country: (country: string) => string;
  readonly list: (items: readonly string[]) => string;
  readonly sentences: (sentences: readonly string[]) => string;
}

/** Chinese lists in tables and key-value pairs have no conjunction before the last item. */
const listWords = (items: readonly string[], language: Language): string =>
  language === 'zh-CN' ? items.join('、') : new Intl.ListFormat(language).format(items);

/** Chinese sentences end in a full-width period, without a space after it. */
export const joinSentences = (language: Language, sentences: readonly string[]): string =>
  sentences.filter((each) => each !== '').join(language === 'zh-CN' ? '' : ' ');

/** Formats numbers, sizes, durations, and lists in the current language. */
export function useFormat(): Formatters {
  const language = useLanguage();
  return useMemo(
    () => ({
      number: (value) => plainNumber(language, undefined).format(value),
      percent: (share) =>
        new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 }).format(
          share,
        ),
      bytes: (bytes) => formatBytes(language, bytes),
      duration: (durationMs) => formatDuration(language, durationMs),
      clock: (atMs) => formatClock(language, atMs),
      absolute: (atMs, timeZone) => formatAbsolute(language, atMs, timeZone),
      country: (country) => countryWords(country, language),
      list: (items) => listWords(items, language),
      sentences: (sentences) => joinSentences(language, sentences),
    }),
    [language],
  );
}
