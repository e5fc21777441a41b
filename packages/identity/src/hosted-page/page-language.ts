import type { WireLanguage } from '../provider/wire/provider-error.ts';

/** The first supported language: the user's choice, the application's, or the browser's. */
export function pageLanguage(...wishes: readonly (string | undefined)[]): WireLanguage {
  for (const wish of wishes) {
    const languages = (wish ?? '').toLowerCase().split(/[ ,;]+/);
    const known = languages.find((each) => /^(en|zh)\b/.test(each));
    if (known !== undefined) return known.startsWith('zh') ? 'zh-CN' : 'en-US';
  }
  return 'en-US';
}
