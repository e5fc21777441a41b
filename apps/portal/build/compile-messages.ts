import { fileURLToPath } from 'node:url';
import { parse } from '@formatjs/icu-messageformat-parser';
import type { Plugin } from 'vite';
import type { MessageElement } from '../src/i18n/parsed-message.ts';
import { requireKnownSyntax } from './require-known-syntax.ts';

const LIBRARY = 'intl-messageformat';
const FORMATTER = fileURLToPath(new URL('../src/i18n/parsed-message.ts', import.meta.url));

const CATALOG = /\/apps\/portal\/src\/.+\/messages\/(?:en|zh-CN)\.json$/;
const REFUSALS = /\/apps\/portal\/src\/ui\/refusals\/refusal-texts-(?:en|zh-cn)\.ts$/;

/**
 * Parses the messages with arguments at build time, so that browsers load neither the parser nor the library (19 kB
 * gzip). Cloudscape’s messages are published parsed.
 */
export function compileMessages(): Plugin {
  return {
    name: 'compile-messages',
    enforce: 'pre',
    resolveId: {
      filter: { id: /^intl-messageformat$/ },
      handler: () => `\0${LIBRARY}`,
    },
    load: {
      filter: { id: /^\0intl-messageformat$/ },
      handler: () =>
        `export { IntlMessageFormat, IntlMessageFormat as default } from ${JSON.stringify(FORMATTER)};`,
    },
    transform: {
      filter: { id: [CATALOG, REFUSALS] },
      async handler(code, id) {
        if (CATALOG.test(id)) {
          const catalog = JSON.parse(code) as Readonly<Record<string, string>>;
          return { code: JSON.stringify(compiled(catalog)), map: null };
        }
        const { refusalTexts } = (await import(id)) as {
          refusalTexts: Readonly<Record<string, string>>;
        };
        const texts = JSON.stringify(compiled(refusalTexts));
        return { code: `export const refusalTexts = ${texts};`, map: null };
      },
    },
  };
}

/** The same test as in `formatMessage`: other texts are shown as they are. */
const hasSyntax = (text: string): boolean => text.includes('{') || text.includes("'");

function compiled(catalog: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(catalog).map(([key, text]) => [key, hasSyntax(text) ? parsed(key, text) : text]),
  );
}

function parsed(key: string, text: string): readonly MessageElement[] {
  const message = parse(text, { ignoreTag: true }) as readonly MessageElement[];
  requireKnownSyntax(key, message);
  return message;
}
