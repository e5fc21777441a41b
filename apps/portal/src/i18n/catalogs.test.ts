import { readFileSync } from 'node:fs';
import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { expect, it } from 'vitest';

const source = join(dirname(fileURLToPath(import.meta.url)), '..');
const areas = globSync('{*,app/command-palette,app/shortcuts,devices/list}/messages/en.json', {
  cwd: source,
}).map((path) => dirname(dirname(path)));

function catalog(area: string, language: 'en' | 'zh-CN'): Record<string, string> {
  return JSON.parse(
    readFileSync(join(source, area, 'messages', `${language}.json`), 'utf8'),
  ) as Record<string, string>;
}

function argumentsOf(
  elements: readonly MessageFormatElement[],
  found = new Set<string>(),
): Set<string> {
  for (const element of elements) {
    if ('value' in element && element.type !== 0) found.add(element.value);
    if ('options' in element) {
      for (const option of Object.values(element.options)) argumentsOf(option.value, found);
    }
  }
  return found;
}

const argumentList = (text: string): string[] =>
  [...argumentsOf(parse(text, { ignoreTag: true }))].toSorted();

/** The first segment of the keys of an area. */
const prefixOf = (area: string): string =>
  area
    .replace(/\/.*/, '')
    .replaceAll(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase());

it.each(areas)('%s has the same keys in both languages', (area) => {
  const en = catalog(area, 'en');
  const zh = catalog(area, 'zh-CN');
  expect(Object.keys(zh).toSorted()).toEqual(Object.keys(en).toSorted());
});

it.each(areas)('%s uses the same arguments in both languages', (area) => {
  const zh = catalog(area, 'zh-CN');
  for (const [key, text] of Object.entries(catalog(area, 'en'))) {
    expect({ key, arguments: argumentList(zh[key] ?? '') }).toEqual({
      key,
      arguments: argumentList(text),
    });
  }
});

it.each(areas)(
  '%s has no empty messages, and its keys start with the name of its folder',
  (area) => {
    for (const language of ['en', 'zh-CN'] as const) {
      for (const [key, text] of Object.entries(catalog(area, language))) {
        expect(key).toMatch(new RegExp(`^${prefixOf(area)}\\.`));
        expect({ key, empty: text.trim() === '' }).toEqual({ key, empty: false });
      }
    }
  },
);

it('every message is used', () => {
  const code = globSync('**/*.{ts,tsx}', { cwd: source })
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => readFileSync(join(source, path), 'utf8'))
    .join('\n');
  const literals = new Set(
    code.match(/['`"][a-zA-Z]+(\.[\w-]+)+['`"]/g)?.map((each) => each.slice(1, -1)),
  );
  const templates = [...code.matchAll(/`([a-zA-Z]+\.[^`\n]*\$\{[^`\n]*)`/g)].map(
    ([, template = '']) =>
      new RegExp(
        `^${template
          .split(/\$\{[^}]*\}/)
          .map(escape)
          .join('[\\w.-]+')}$`,
      ),
  );
  const unused = areas
    .flatMap((area) => Object.keys(catalog(area, 'en')))
    .filter((key) => !literals.has(key) && !templates.some((template) => template.test(key)));
  expect(unused).toEqual([]);
});

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
