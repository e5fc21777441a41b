import type { Verdict } from '@deviceportal/contract/devices';
import { disconnectReasonWords } from '@deviceportal/contract/disconnect-reason-words';
import { selfCheckFactWords } from '@deviceportal/contract/self-check-words';
import { statusDetails } from '@deviceportal/contract/states';
import type { Formatters } from '../i18n/format-values.ts';
import type { Language } from '../i18n/languages.ts';
import type { MessageArguments } from '../i18n/message-key.ts';
import type { Translate } from '../i18n/use-t.ts';
import { serverNowMs } from '../ui/time/server-clock.ts';
import { failingPartWord } from './status-words.ts';

const DAY_MS = 86_400_000;

export interface VerdictWords {
  readonly title: string;
  readonly body: string;
}

interface WordSources {
  readonly t: Translate;
  readonly format: Formatters;
  readonly language: Language;
}

/** A finding, its cause, and the suggested step, in two sentences. Unknown facts are `none`. */
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
  const seconds = (value: string | number | null | undefined): string =>
    typeof value === 'number' ? format.duration(value * 1_000) : 'none';
  const endsAtMs = Date.parse(text('endsAt'));
  const sinceMs = Date.parse(text('since'));
  const offlineSeconds =
    facts['offlineSeconds'] ??
    (Number.isFinite(sinceMs) ? Math.round((serverNowMs() - sinceMs) / 1_000) : null);
  const details = text('statusDetails');
  return {
    reason: text('reason') === 'none' ? 'none' : disconnectReasonWords(text('reason'), language),
    duration: seconds(offlineSeconds),
    usual: seconds(facts['usualSeconds']),
    window: seconds(facts['windowSeconds']),
    percent: text('percent'),
    service: text('service'),
    count: Number(facts['count'] ?? 0),
    component: text('component'),
    version: text('version'),
    approved: text('approved'),
    state: text('state'),
    others: Number(facts['components'] ?? 1) - 1,
    mandatoryFrom: moment('mandatoryFrom'),
    country: text('country') === 'none' ? 'none' : format.country(text('country')),
    source: text('source'),
    lastSeenAt: moment('lastSeenAt'),
    part: text('part') === 'none' ? 'none' : failingPartWord(text('part'), t),
    fact: selfCheckFactWords(text('fact'), language),
    command: text('command'),
    details: Object.hasOwn(statusDetails, details)
      ? statusDetails[details as keyof typeof statusDetails][language]
      : details,
    responseCode: text('responseCode'),
    endedAt: moment('endedAt'),
    endsAt: moment('endsAt'),
    days: Number(
      facts['days'] ??
        (Number.isFinite(endsAtMs) ? Math.floor((endsAtMs - serverNowMs()) / DAY_MS) : 0),
    ),
    checkedAt: moment('checkedAt'),
  };
}
