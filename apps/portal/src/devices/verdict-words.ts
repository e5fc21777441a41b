import type { Verdict } from '@deviceportal/contract/devices';
import { statusDetails } from '@deviceportal/contract/states';
import type { Formatters } from '../i18n/format-values.ts';
import type { Language } from '../i18n/languages.ts';
import type { MessageArguments } from '../i18n/message-key.ts';
import type { Translate } from '../i18n/use-t.ts';
import { selfCheckFactWords } from './self-check-words.ts';
import { disconnectReasonWords, failingPartWord } from './status-words.ts';

export interface VerdictWords {
  readonly title: string;
  readonly body: string;
}

interface WordSources {
  readonly t: Translate;
  readonly format: Formatters;
  readonly language: Language;
}

/** What is wrong, why, and what to do, in two sentences. Facts that are not known are `none`. */
export function verdictWords(verdict: Verdict, sources: WordSources): VerdictWords {
  const { t } = sources;
  const values = verdictValues(verdict.facts, sources);
  return {
    title: t(`devices.verdict.${verdict.code}.title`, values),
    body: t(`devices.verdict.${verdict.code}.body`, values),
  };
}

function verdictValues(
  facts: Verdict['facts'],
  { t, format, language }: WordSources,
): MessageArguments {
  const text = (name: string): string => {
    const value = facts[name];
    return value === null || value === undefined || value === '' ? 'none' : String(value);
  };
  const moment = (name: string): string => {
    const atMs = Date.parse(text(name));
    return Number.isFinite(atMs) ? format.absolute(atMs) : 'none';
  };
  const offlineSeconds = facts['offlineSeconds'];
  const details = text('statusDetails');
  return {
    reason: text('reason') === 'none' ? 'none' : disconnectReasonWords(text('reason'), t),
    duration: typeof offlineSeconds === 'number' ? format.duration(offlineSeconds * 1_000) : 'none',
    lastSeenAt: moment('lastSeenAt'),
    part: text('part') === 'none' ? 'none' : failingPartWord(text('part'), t),
    fact: selfCheckFactWords(text('fact'), t),
    command: text('command'),
    details: Object.hasOwn(statusDetails, details)
      ? statusDetails[details as keyof typeof statusDetails][language]
      : details,
    responseCode: text('responseCode'),
    endedAt: moment('endedAt'),
    endsAt: moment('endsAt'),
    days: Number(facts['days'] ?? 0),
    checkedAt: moment('checkedAt'),
  };
}
