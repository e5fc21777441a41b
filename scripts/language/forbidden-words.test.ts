import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { messageWords } from '../../apps/server/src/messages/message-words.ts';
import { findForbiddenWords, type Place } from './forbidden-words.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const catalogs = globSync(
  ['apps/portal/src/**/messages/*.json', 'packages/identity/src/hosted-page/page-words.*.json'],
  { cwd: root },
);

function findingsOf(messages: Readonly<Record<string, string>>, place: Place): readonly string[] {
  return Object.entries(messages).flatMap(([key, text]) =>
    findForbiddenWords(text, place).map(({ found, instead }) => `${key}: “${found}” → ${instead}`),
  );
}

describe('the words of the glossary', () => {
  test.each(catalogs)('%s uses none that the glossary replaces', (path) => {
    const messages = JSON.parse(read(path)) as Record<string, string>;
    expect(findingsOf(messages, path.includes('zh-CN') ? 'zh-CN' : 'en')).toEqual([]);
  });

  test.each(['en', 'zh-CN'] as const)('emails and text messages in %s use them', (language) => {
    const lines = read('apps/server/src/messages/message-words.ts').split('\n');
    const isOwn = (line: string): boolean =>
      /[\u4e00-\u9fff]/.test(line) === (language === 'zh-CN');
    const texts = lines.filter(isOwn).flatMap(literalsIn);
    expect(Object.keys(messageWords)).toContain(language);
    expect(findingsOf(Object.fromEntries(texts.entries()), language)).toEqual([]);
  });

  test('log lines use them', () => {
    const sources = globSync(['apps/{server,agent}/src/**/*.ts', 'packages/*/src/**/*.ts'], {
      cwd: root,
    }).filter((path) => !path.endsWith('.test.ts'));
    const found = sources.flatMap((path) =>
      Array.from(read(path).matchAll(LOG_LINE), ([, text = '']) => text).flatMap((text) =>
        findForbiddenWords(text, 'log').map((each) => `${path}: ${text} → ${each.instead}`),
      ),
    );
    expect(found).toEqual([]);
  });
});

/** All pages for readers: guides, design, reference, and the pages of packages. */
const pages = globSync(['*.md', 'docs/**/*.md', 'packages/*/*.md', 'packages/*/examples/*.md'], {
  cwd: root,
});

const chinesePages = globSync('docs/guides/zh/*.md', { cwd: root });

/** Programs that an operator starts in a terminal, and the descriptions of their settings. */
const commandLine = globSync(
  [
    'apps/agent/src/{main,cli-options,until-enrolled,upgrade}.ts',
    'apps/server/src/cli/**/*.ts',
    'apps/server/src/installation/*.ts',
    'apps/server/src/signing-keys/operate-ring.ts',
    'apps/server/src/platform/config/*.ts',
  ],
  { cwd: root },
).filter((path) => !path.endsWith('.test.ts'));

describe('plain words', () => {
  test.each(pages)('%s uses them', (path) => {
    const page = path === 'docs/glossary.md' ? withoutLastColumn(read(path)) : read(path);
    expect(proseOf(page).flatMap((text) => findForbiddenWords(text, 'doc'))).toEqual([]);
  });

  test.each(chinesePages)('%s uses them in Chinese', (path) => {
    expect(proseOf(read(path)).flatMap((text) => findForbiddenWords(text, 'zh-CN'))).toEqual([]);
  });

  test.each(commandLine)('the texts of %s use them', (path) => {
    const texts = read(path).split('\n').filter(isCode).flatMap(literalsIn);
    expect(texts.flatMap((text) => findForbiddenWords(text, 'log'))).toEqual([]);
  });
});

describe('the check', () => {
  test.each([
    ['Nobody asks for a role.', 'en'],
    ['{count, plural, =0 {Nobody holds it.} other {# people hold it.}}', 'en'],
    ['Command cancelled', 'en'],
    ['commands were not looked after', 'log'],
    ['A command waits until nobody else changes the device.', 'doc'],
    ['设备已停用:{reason}', 'zh-CN'],
    ['{count, plural, one {# 台} other {# 台}}', 'zh-CN'],
    ['注册凭证已创建', 'zh-CN'],
  ] as const)('finds what is wrong in “%s”', (text, place) => {
    expect(findForbiddenWords(text, place)).not.toEqual([]);
  });

  test.each([
    ['No access requests', 'en'],
    ['Run {cancelled}', 'en'],
    ['Maximum devices at once', 'en'],
    ['dispatch poll failed', 'log'],
    ['无法连接代理服务器，请检查设备代理程序。', 'zh-CN'],
  ] as const)('lets “%s” be', (text, place) => {
    expect(findForbiddenWords(text, place)).toEqual([]);
  });
});

/** The first text of a call of a logger. */
const LOG_LINE = /\blog(?:ger)?\.(?:info|warn|error|fatal|debug)\([^'`;]*'([^']+)'/g;

/** Lines of a page without code, links, and headings of tables. */
function proseOf(page: string): readonly string[] {
  return page
    .replaceAll(/```[\s\S]*?```/g, '')
    .replaceAll(/`[^`]*`/g, '')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replaceAll(/\s+/g, ' '));
}

/** The glossary without the words that it replaces. */
const withoutLastColumn = (page: string): string => page.replaceAll(/^(\|.*\|)[^|]*\|$/gm, '$1');

const isCode = (line: string): boolean => !/^\s*(\*|\/\/|\/\*|import )/.test(line);

function literalsIn(line: string): readonly string[] {
  return Array.from(line.matchAll(/'([^']+)'|`([^`]+)`/g), ([, plain, template]) =>
    (plain ?? template ?? '').replaceAll(/\$\{[^}]*\}/g, '{}'),
  );
}
