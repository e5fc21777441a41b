import { IntlMessageFormat } from 'intl-messageformat';
import type { Language } from './languages.ts';
import type { Message, Messages } from './language-store.ts';
import type { MessageArguments } from './message-key.ts';

const formats: Record<Language, Map<Message, IntlMessageFormat>> = {
  en: new Map(),
  'zh-CN': new Map(),
};

/**
 * A message in a language. A missing message is shown as its key, so that the gap is visible but
 * harmless.
 */
export function formatMessage(
  { language, messages }: { readonly language: Language; readonly messages: Messages },
  key: string,
  values?: MessageArguments,
): string {
  const text = messages[key];
  if (text === undefined) return key;
  const isPlain = typeof text === 'string' && !text.includes('{') && !text.includes("'");
  if (isPlain) return text;
  let format = formats[language].get(text);
  if (format === undefined) {
    // Texts are parsed here only in tests. The build has parsed them.
    format = new IntlMessageFormat(text, language, undefined, { ignoreTag: true });
    formats[language].set(text, format);
  }
  return String(format.format(values as Record<string, string>));
}
