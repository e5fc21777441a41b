import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { MessageElement } from '../src/i18n/parsed-message.ts';
import { requireKnownSyntax } from './require-known-syntax.ts';

const require = createRequire(import.meta.url);
const LANGUAGES = ['en', 'zh-CN'];

type Messages = Readonly<Record<string, readonly MessageElement[]>>;
type Catalog = Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<string, Messages>>>>>
>;

/** Components of the first load. The messages of all others are five times as large. */
const firstComponents: ReadonlySet<string> = new Set([
  'alert',
  'app-layout',
  'breadcrumb-group',
  'button',
  'button-dropdown',
  'drawer',
  'error-boundary',
  'flashbar',
  'help-panel',
  'input',
  'link',
  'modal',
  'pagination',
  'panel-resize-handle',
  'popover',
  'split-panel',
  'table',
  'top-navigation',
]);

/**
 * Writes Cloudscape’s messages in two parts per language: `first.en.json` and `others.en.json`.
 * Returns the directory.
 */
export async function writeComponentMessages(cacheDirectory: string): Promise<string> {
  const directory = join(cacheDirectory, 'component-messages');
  await mkdir(directory, { recursive: true });
  for (const language of LANGUAGES) {
    const source = `@cloudscape-design/components/i18n/messages/all.${language}.json`;
    const catalog = JSON.parse(await readFile(require.resolve(source), 'utf8')) as Catalog;
    requireKnownMessages(catalog);
    const write = (part: string, isFirst: boolean): Promise<void> =>
      writeFile(
        join(directory, `${part}.${language}.json`),
        JSON.stringify(select(catalog, (component) => firstComponents.has(component) === isFirst)),
      );
    await Promise.all([write('first', true), write('others', false)]);
  }
  return directory;
}

function requireKnownMessages(catalog: Catalog): void {
  for (const components of Object.values(catalog).flatMap(Object.values<Catalog[string][string]>))
    for (const messages of Object.values(components))
      for (const [key, message] of Object.entries(messages)) requireKnownSyntax(key, message);
}

function select(catalog: Catalog, isWanted: (component: string) => boolean): Catalog {
  const mapped = <One, Other>(record: Readonly<Record<string, One>>, map: (one: One) => Other) =>
    Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
  return mapped(catalog, (languages) =>
    mapped(languages, (components) =>
      Object.fromEntries(Object.entries(components).filter(([name]) => isWanted(name))),
    ),
  );
}
