import { escapeHtml } from './escape-html.ts';
import type { PageWords } from './page-words.ts';
import { button, form } from './form-parts.ts';

/** The requested scopes, with buttons to allow and deny. */
export function consentBody(body: {
  readonly words: PageWords;
  readonly account: string;
  readonly scopes: readonly string[];
  readonly formSecret: string;
}): string {
  const { account, scopes, words } = body;
  const lines = scopes.map((scope) => `<li>${escapeHtml(nameOf(words, scope))}</li>`).join('');
  return `<ul>${lines}</ul><p>${escapeHtml(words.consentAs.replace('{account}', account))}</p>
${form(body, 'allow', button(words.allow))}${form(body, 'cancel', button(words.deny, true))}`;
}

function nameOf(words: PageWords, scope: string): string {
  return (words as Readonly<Record<string, string>>)[`scope_${scope}`] ?? scope;
}
