import { create } from 'zustand';
import type { Language } from './languages.ts';

export type Messages = Readonly<Record<string, string>>;

/**
 * The messages that a page needs: the sign-in page has only its own, the device list only the most
 * common.
 */
export type MessageScope = 'session' | 'portal' | 'everything';

interface LanguageState {
  readonly language: Language;
  readonly messages: Messages;
}

type Loader = () => Promise<Messages>;

const session: Record<Language, Loader> = {
  en: async () => (await import('../sign-in/messages/en.json')).default,
  'zh-CN': async () => (await import('../sign-in/messages/zh-CN.json')).default,
};
const portal: Record<Language, Loader> = {
  en: async () => (await import('./portal-messages-en.ts')).messages,
  'zh-CN': async () => (await import('./portal-messages-zh-cn.ts')).messages,
};
const others: Record<Language, Loader> = {
  en: async () => (await import('./other-messages-en.ts')).messages,
  'zh-CN': async () => (await import('./other-messages-zh-cn.ts')).messages,
};
const parts: Record<MessageScope, readonly Record<Language, Loader>[]> = {
  session: [session],
  portal: [portal],
  everything: [portal, others],
};

const useSpoken = create<LanguageState>(() => ({ language: 'en', messages: {} }));
/** The last request, which may still be loading. */
let wanted: { readonly language: Language; readonly scope: MessageScope } = {
  language: 'en',
  scope: 'session',
};
let underWay: Promise<void> | undefined;
let everything: Promise<void> | undefined;

/**
 * Loads the messages before switching, so that no screen mixes languages. The last of several calls
 * wins.
 */
export function setLanguage(language: Language, scope: MessageScope = wanted.scope): Promise<void> {
  const mine = { language, scope };
  wanted = mine;
  const change = async (): Promise<void> => {
    const loaded = await Promise.all(parts[scope].map((part) => part[language]()));
    if (wanted !== mine) return underWay;
    if (typeof document !== 'undefined') document.documentElement.lang = language;
    useSpoken.setState({ language, messages: Object.assign({}, ...loaded) as Messages });
    return undefined;
  };
  underWay = change();
  return underWay;
}

/** Resolves when the messages of all screens are loaded, in the language current at that time. */
export function loadAllWords(): Promise<void> {
  everything ??= setLanguage(wanted.language, 'everything').catch((error: unknown) => {
    // The next call tries again.
    everything = undefined;
    throw error;
  });
  return everything;
}

export function languageState(): LanguageState {
  return useSpoken.getState();
}

/** Whether a message is loaded. Most screens’ messages are loaded after the first load. */
export function hasMessage(key: string): boolean {
  return Object.hasOwn(languageState().messages, key);
}

export function useLanguageState(): LanguageState {
  return useSpoken();
}

export function useLanguage(): Language {
  return useLanguageState().language;
}
