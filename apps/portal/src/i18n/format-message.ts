import { IntlMessageFormat } from 'intl-messageformat';
import type { Language } from './languages.ts';
import type { Messages } from './language-store.ts';
import type { MessageArguments } from './message-key.ts';

const formats = new Map<string, IntlMessageFormat>();

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
  if (!text.includes('{') && !text.includes("'")) return text;
  const cacheKey = `${language}\u0000${text}`;
  let format = formats.get(cacheKey);
  if (format === undefined) {
    format = new IntlMessageFormat(text, language, undefined, { ignoreTag: true });
    formats.set(cacheKey, format);
  }
  return String(format.format(values as Record<string, string>));
}
