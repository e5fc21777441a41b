import type { I18nProviderProps } from '@cloudscape-design/components/i18n';
import { useEffect, useState } from 'react';
import { useLanguage } from '../i18n/language-store.ts';
import type { Language } from '../i18n/languages.ts';

type Messages = I18nProviderProps['messages'];

const loaders: Record<Language, () => Promise<{ readonly default: Messages[number] }>> = {
  en: () => import('@cloudscape-design/components/i18n/messages/all.en'),
  'zh-CN': () => import('@cloudscape-design/components/i18n/messages/all.zh-CN'),
};

const loaded = new Map<Language, Messages>();

/** Loads Cloudscape’s texts before the first page is shown. */
export async function loadCloudscapeMessages(language: Language): Promise<Messages> {
  const known = loaded.get(language);
  if (known !== undefined) return known;
  const messages = [(await loaders[language]()).default];
  loaded.set(language, messages);
  return messages;
}

/** Cloudscape’s texts in the current language. The previous ones are used until they are loaded. */
export function useCloudscapeMessages(): {
  readonly language: Language;
  readonly messages: Messages;
} {
  const language = useLanguage();
  const [state, setState] = useState({ language, messages: loaded.get(language) ?? [] });
  useEffect(() => {
    let current = true;
    void loadCloudscapeMessages(language).then((messages) => {
      if (current) setState({ language, messages });
    });
    return () => {
      current = false;
    };
  }, [language]);
  return state;
}
