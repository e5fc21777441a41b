import { useMemo, useState, useSyncExternalStore } from 'react';
import { formatMessage } from './format-message.ts';
import { languageState, onLanguageState, type LanguageState } from './language-store.ts';
import type { MessageArguments, MessageKey } from './message-key.ts';

export type Translate = (key: MessageKey, values?: MessageArguments) => string;

/**
 * Returns the translate function of the current language: `t('devices.list.title', { count })`. Renders again when the
 * language changes, and when more messages are loaded only if one of its messages was missing.
 */
export function useT(): Translate {
  const [reader] = useState(() => new MessageReader());
  const state = useSyncExternalStore(reader.subscribe, reader.state);
  return useMemo<Translate>(
    () => (key, values) => reader.read(state.language, key, values),
    [reader, state],
  );
}

/** Translates outside components, in the language current at the call. */
export const translateNow: Translate = (key, values) => formatMessage(languageState(), key, values);

/** The messages that a component has read. */
class MessageReader {
  #state = languageState();
  #hasMissed = false;

  readonly state = (): LanguageState => this.#state;

  readonly subscribe = (notify: () => void): (() => void) => {
    const follow = (state: LanguageState): void => {
      if (state === this.#state) return;
      if (state.language === this.#state.language && !this.#hasMissed) return;
      this.#state = state;
      this.#hasMissed = false;
      notify();
    };
    const end = onLanguageState(follow);
    follow(languageState());
    return end;
  };

  read(language: string, key: MessageKey, values: MessageArguments | undefined): string {
    const current = languageState();
    // While the language changes, the texts of one render are in one language.
    const state = current.language === language ? current : this.#state;
    if (!Object.hasOwn(state.messages, key)) this.#hasMissed = true;
    return formatMessage(state, key, values);
  }
}
