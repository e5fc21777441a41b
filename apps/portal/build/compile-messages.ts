import { createRequire } from 'node:module';
import { parse } from '@formatjs/icu-messageformat-parser';
import type { Plugin } from 'vite';

const WITHOUT_PARSER = '@formatjs/icu-messageformat-parser/lib/no-parser.js';
const require = createRequire(import.meta.url);

const CATALOG = /\/apps\/portal\/src\/.+\/messages\/(?:en|zh-CN)\.json$/;
const REFUSALS = /\/apps\/portal\/src\/ui\/refusals\/refusal-texts-(?:en|zh-cn)\.ts$/;

/**
 * Parses the messages with arguments at build time, so that browsers do not load the parser (10 kB
 * gzip). Cloudscape’s messages are published parsed.
 */
export function compileMessages(): Plugin {
  return {
    name: 'compile-messages',
    enforce: 'pre',
    config: () => ({
      resolve: {
        alias: [
          {
            find: /^@formatjs\/icu-messageformat-parser$/,
            replacement: require.resolve(WITHOUT_PARSER),
          },
        ],
      },
    }),
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
    Object.entries(catalog).map(([key, text]) => [
      key,
      hasSyntax(text) ? parse(text, { ignoreTag: true }) : text,
    ]),
  );
}
