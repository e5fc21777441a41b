import { useMemo } from 'react';
import { formatMessage } from './format-message.ts';
import { languageState, useLanguageState } from './language-store.ts';
import type { MessageArguments, MessageKey } from './message-key.ts';

export type Translate = (key: MessageKey, values?: MessageArguments) => string;

/** `t('devices.list.title', { count })`: the words of the current language; changes with it. */
export function useT(): Translate {
  const state = useLanguageState();
  return useMemo<Translate>(() => (key, values) => formatMessage(state, key, values), [state]);
}

/** The same outside a component, in the language of this moment. */
export const translateNow: Translate = (key, values) => formatMessage(languageState(), key, values);
