import type { I18nProviderProps } from '@cloudscape-design/components/i18n';
import type { IntlMessageFormat } from 'intl-messageformat';
import { create } from 'zustand';
import type { Language } from './languages.ts';

/** A text, or its parsed form in a build. */
export type Message = ConstructorParameters<typeof IntlMessageFormat>[0];
export type Messages = Readonly<Record<string, Message>>;

/**
 * The messages that a page needs: the sign-in page has only its own, the device list first those
 * that it shows, then those of its filter and dialogs.
 */
export type MessageScope = 'session' | 'portal' | 'list' | 'everything';

type ComponentMessages = I18nProviderProps['messages'];

export interface LanguageState {
  readonly language: Language;
  readonly messages: Messages;
  /** The messages of Cloudscape’s components that the first load shows, and later of all. */
  readonly ofComponents: ComponentMessages;
  /** All loaded messages of Cloudscape’s components, for the parts of a screen that are loaded after it. */
  readonly ofLaterComponents: ComponentMessages;
}

/** What one module of messages exports. */
interface Words {
  readonly messages: Messages;
  readonly ofComponents?: ComponentMessages[number] | undefined;
}

type Loaders = Readonly<Record<Language, () => Promise<Words>>>;

async function withComponents(
  words: Promise<Words>,
  components: Promise<{ readonly default: Words['ofComponents'] }>,
): Promise<Words> {
  const [{ messages }, { default: ofComponents }] = await Promise.all([words, components]);
  return { messages, ofComponents };
}

const session: Loaders = {
  en: async () => ({ messages: (await import('../sign-in/messages/en.json')).default }),
  'zh-CN': async () => ({ messages: (await import('../sign-in/messages/zh-CN.json')).default }),
};
const portal: Loaders = {
  en: () =>
    withComponents(
      import('./portal-messages-en.ts'),
      import('virtual:component-messages/first.en.json'),
    ),
  'zh-CN': () =>
    withComponents(
      import('./portal-messages-zh-cn.ts'),
      import('virtual:component-messages/first.zh-CN.json'),
    ),
};
const list: Loaders = {
  en: () =>
    withComponents(
      import('./list-messages-en.ts'),
      import('virtual:component-messages/others.en.json'),
    ),
  'zh-CN': () =>
    withComponents(
      import('./list-messages-zh-cn.ts'),
      import('virtual:component-messages/others.zh-CN.json'),
    ),
};
const others: Loaders = {
  en: () => import('./other-messages-en.ts'),
  'zh-CN': () => import('./other-messages-zh-cn.ts'),
};
const parts: Record<MessageScope, readonly Loaders[]> = {
  session: [session],
  portal: [portal],
  list: [portal, list],
  everything: [portal, list, others],
};

const useSpoken = create<LanguageState>(() => ({
  language: 'en',
  messages: {},
  ofComponents: [],
  ofLaterComponents: [],
}));
/** The last request, which may still be loading. */
let wanted: { readonly language: Language; readonly scope: MessageScope } = {
  language: 'en',
  scope: 'session',
};
let underWay: Promise<void> | undefined;
let ofList: Promise<void> | undefined;
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
    const ofLaterComponents = loaded.flatMap(({ ofComponents }) =>
      ofComponents === undefined ? [] : [ofComponents],
    );
    const before = useSpoken.getState().ofComponents;
    const ofComponents = scope === 'list' ? ofLaterComponents.slice(0, 1) : ofLaterComponents;
    useSpoken.setState({
      language,
      messages: Object.assign({}, ...loaded.map(({ messages }) => messages)) as Messages,
      // Another array renders all components again.
      ofComponents: hasSame(before, ofComponents) ? before : ofComponents,
      ofLaterComponents,
    });
    return undefined;
  };
  underWay = change();
  return underWay;
}

function hasSame(before: ComponentMessages, after: ComponentMessages): boolean {
  return before.length === after.length && after.every((each, index) => each === before[index]);
}

/** Resolves when the messages of all parts of the device list are loaded. */
export function loadListWords(): Promise<void> {
  if (everything !== undefined) return everything;
  ofList ??= setLanguage(wanted.language, 'list').catch((error: unknown) => {
    // The next call tries again.
    ofList = undefined;
    throw error;
  });
  return ofList;
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

/** Calls the listener when the language has changed, or more messages are loaded. */
export const onLanguageState: (listener: (state: LanguageState) => void) => () => void =
  useSpoken.subscribe;

export function useComponentMessages(
  part: 'ofComponents' | 'ofLaterComponents',
): ComponentMessages {
  return useSpoken((state) => state[part]);
}

export function useLanguage(): Language {
  return useSpoken(({ language }) => language);
}
