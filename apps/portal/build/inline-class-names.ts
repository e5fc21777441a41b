import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Plugin } from 'vite';

type Names = ReadonlyMap<string, string>;

const COMPONENTS = /\/node_modules\/@cloudscape-design\/components\/.+\.js$/;
/** A default import of a table of class names or of custom properties. */
const IMPORT =
  /^import (?<local>\w+) from '(?<path>[^']+(?:\.css\.js|\/custom-css-properties(?:\/index)?(?:\.js)?))';$/gm;
const ENTRY = /^\s*"(?<name>[^"]+)": "(?<value>[^"]*)"/gm;
const STYLESHEET = /^\s*import '(?<path>[^']+\.css)';/m;

/**
 * Replaces `styles.root` and `styles['root']` in Cloudscape’s components with the class name. The tables of all class
 * names, of which a page uses a part, then stay only where a name is computed: 3 kB gzip less in the device list.
 */
export function inlineClassNames(): Plugin {
  const tables = new Map<string, Names>();
  const namesIn = (file: string): Names => {
    const known = tables.get(file) ?? readNames(file);
    tables.set(file, known);
    return known;
  };
  return {
    name: 'inline-class-names',
    enforce: 'pre',
    apply: 'build',
    transform: {
      filter: { id: COMPONENTS },
      handler: (code, id) => ({ code: inlineNames(code, dirname(id), namesIn), map: null }),
    },
  };
}

/** The code of a module in a folder, without the imports of tables that it only reads by literal names. */
export function inlineNames(
  code: string,
  folder: string,
  namesIn: (file: string) => Names,
): string {
  let inlined = code;
  let stylesheets = '';
  for (const { 0: statement, groups } of code.matchAll(IMPORT)) {
    const { local = '', path = '' } = groups ?? {};
    const file = fileOf(resolve(folder, path));
    const names = namesIn(file);
    const use = new RegExp(
      `(?<![\\w.$'/-])${local}(?:\\.(?<plain>\\w+)|\\['(?<quoted>[^'\\]]+)'\\])`,
      'g',
    );
    const rest = inlined.replace(statement, '').replace(use, (...found) => {
      const { plain, quoted } = found.at(-1) as { plain?: string; quoted?: string };
      const value = names.get(plain ?? quoted ?? '');
      return value === undefined ? 'undefined' : JSON.stringify(value);
    });
    if (new RegExp(`(?<![\\w.$'/-])${local}\\b`).test(rest)) continue;
    inlined = rest;
    stylesheets += stylesheetImport(file);
  }
  return stylesheets + inlined;
}

/** A table also loads its stylesheet. */
function stylesheetImport(file: string): string {
  const path = STYLESHEET.exec(readFileSync(file, 'utf8'))?.groups?.['path'];
  return path === undefined ? '' : `import ${JSON.stringify(resolve(dirname(file), path))};\n`;
}

function readNames(file: string): Names {
  return new Map(
    [...readFileSync(file, 'utf8').matchAll(ENTRY)].map(({ groups }) => [
      groups?.['name'] ?? '',
      groups?.['value'] ?? '',
    ]),
  );
}

const fileOf = (path: string): string =>
  [path, `${path}.js`, `${path}/index.js`].find(
    (each) => each.endsWith('.js') && existsSync(each),
  ) ?? path;
