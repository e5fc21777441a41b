import { stopReasonWords } from '@deviceportal/contract/air-blast-words';
import type { Language } from '../i18n/languages.ts';

/** Why a run is paused, aborted or failed, behind the word of its state. */
export function stateDetail(reason: string, language: Language): string | undefined {
  return reason === '' ? undefined : `· ${stopReasonWords(reason, language)}`;
}
