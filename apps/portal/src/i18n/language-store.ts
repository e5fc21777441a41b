import { create } from 'zustand';
import type { Language } from './languages.ts';

export type Messages = Readonly<Record<string, string>>;

/** Which messages a page needs: the sign-in page carries only its own, the list of devices only the most common. */
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
/** What was asked for last, which may still be on its way. */
let wanted: { readonly language: Language; readonly scope: MessageScope } = {
  language: 'en',
  scope: 'session',
};
let underWay: Promise<void> | undefined;
let everything: Promise<void> | undefined;

/** Loads the words first, so that no screen ever shows half a language. Of several calls the last one counts. */
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

/** Resolves when the words of every screen are there, in whatever language is spoken then. */
export function loadAllWords(): Promise<void> {
  everything ??= setLanguage(wanted.language, 'everything').catch((error: unknown) => {
    // Whoever asks next tries again.
    everything = undefined;
    throw error;
  });
  return everything;
}

export function languageState(): LanguageState {
  return useSpoken.getState();
}

/** Whether the words of a message are here: those of most screens come after the first load. */
export function hasMessage(key: string): boolean {
  return Object.hasOwn(languageState().messages, key);
}

export function useLanguageState(): LanguageState {
  return useSpoken();
}

export function useLanguage(): Language {
  return useLanguageState().language;
}
