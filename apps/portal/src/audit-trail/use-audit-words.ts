import { useMemo } from 'react';
import { airBlastSteps } from '@deviceportal/contract/air-blast';
import type { AuditEvent } from '@deviceportal/contract/audit-trail';
import { selfCheckFactWords } from '@deviceportal/contract/self-check-words';
import { failingPartWord } from '../devices/status-words.ts';
import { useFormat } from '../i18n/format-values.ts';
import { useLanguage } from '../i18n/language-store.ts';
import { useT } from '../i18n/use-t.ts';
import { wordOf } from '../ui/status-of.tsx';
import { actorWords, auditSentence, auditTypeWords } from './audit-event-words.ts';

export interface AuditWords {
  readonly type: (event: AuditEvent) => string;
  readonly actor: (event: AuditEvent) => string;
  readonly sentence: (event: AuditEvent) => string;
}

/** Translations of audit events in the current language. */
export function useAuditWords(): AuditWords {
  const t = useT();
  const format = useFormat();
  const language = useLanguage();
  return useMemo(() => {
    const details = {
      number: format.number,
      list: format.list,
      part: (part: string, fact: string) =>
        fact === ''
          ? failingPartWord(part, t)
          : t('devices.partFact', {
              part: failingPartWord(part, t),
              fact: selfCheckFactWords(fact, language),
            }),
      step: (step: string) => {
        const known = airBlastSteps.find((each) => each === step);
        return known === undefined ? step : t(`airBlast.step.${known}`);
      },
      state: (kind: 'statusDetails' | 'document' | 'softwareVersion', value: string) =>
        wordOf(kind, value, language),
    };
    return {
      type: (event) => auditTypeWords(event.type, t),
      actor: (event) => actorWords(event.actor, t),
      sentence: (event) => auditSentence(event, t, details),
    };
  }, [t, format, language]);
}
