import { stopReasonWords } from '@deviceportal/contract/air-blast-words';
import type { Language } from '../i18n/languages.ts';

/** The reason for which a rollout is paused, aborted, or failed. */
export function stateDetail(reason: string, language: Language): string | undefined {
  return reason === '' ? undefined : `· ${stopReasonWords(reason, language)}`;
}
