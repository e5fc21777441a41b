import { useMemo } from 'react';
import { formatMessage } from './format-message.ts';
import { languageState, useLanguageState } from './language-store.ts';
import type { MessageArguments, MessageKey } from './message-key.ts';

export type Translate = (key: MessageKey, values?: MessageArguments) => string;

/** Returns the translate function of the current language: `t('devices.list.title', { count })`. */
export function useT(): Translate {
  const state = useLanguageState();
  return useMemo<Translate>(() => (key, values) => formatMessage(state, key, values), [state]);
}

/** Translates outside components, in the language current at the call. */
export const translateNow: Translate = (key, values) => formatMessage(languageState(), key, values);
