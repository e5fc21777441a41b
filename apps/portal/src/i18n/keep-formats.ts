import type { Language } from './languages.ts';

/**
 * Caches formatters by language and variant. Creating one costs a hundred times its use, and a
 * table page uses it about a hundred times.
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
