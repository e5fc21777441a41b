import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IntlMessageFormat } from 'intl-messageformat';
import type { Look } from './looks.ts';

export type Words = (key: string, values?: Readonly<Record<string, string | number>>) => string;

const portal = join(import.meta.dirname, '../../apps/portal/src');

/** The portal's texts in a language, from its catalogs; an unknown key is an error. */
export function wordsOf(language: Look['language']): Words {
  const messages = Object.assign(
    {},
    ...globSync(`{*,devices/list}/messages/${language}.json`, { cwd: portal }).map(
      (path) => JSON.parse(readFileSync(join(portal, path), 'utf8')) as Record<string, string>,
    ),
  ) as Record<string, string>;
  return (key, values) => {
    const text = messages[key];
    if (text === undefined) throw new Error(`${language} has no words for ${key}`);
    return String(
      new IntlMessageFormat(text, language, undefined, { ignoreTag: true }).format(values),
    );
  };
}
