import type { Language } from './languages.ts';

/**
 * Answers the same formatter for the same language and variant: making one costs a hundred times its use, and a page of
 * a table uses one a hundred times.
 */
export function keepFormats<Format, Variant extends string | number | undefined = undefined>(
  make: (language: Language, variant: Variant) => Format,
): (language: Language, variant: Variant) => Format {
  const kept = new Map<string, Format>();
  return (language, variant) => {
    const key = `${language} ${variant ?? ''}`;
    let format = kept.get(key);
    if (format === undefined) {
      format = make(language, variant);
      kept.set(key, format);
    }
    return format;
  };
}
