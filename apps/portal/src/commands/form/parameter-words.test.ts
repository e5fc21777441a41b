import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import english from '../messages/en.json' with { type: 'json' };
import chinese from '../messages/zh-CN.json' with { type: 'json' };
import type { Translate } from '../../i18n/use-t.ts';
import { parameterAbout, parameterTitle } from './parameter-words.ts';

const folder = join(import.meta.dirname, '../../../../server/src/documents/builtin');

/** Each parameter of each built-in document. */
const parameters = readdirSync(folder)
  .filter((file) => !file.endsWith('.phases.yaml'))
  .flatMap((file) => {
    const [, declared = ''] =
      /^parameters:\n((?: .*\n)*)/m.exec(readFileSync(join(folder, file), 'utf8')) ?? [];
    const document = file.replace(/\.yaml$/, '');
    return [...declared.matchAll(/^ {2}(\w+):$/gm)].map(([, name = '']) => ({ document, name }));
  });

const wordsOf =
  (messages: Readonly<Record<string, string>>): Translate =>
  (key) =>
    messages[key] ?? '';

describe('parameters of built-in documents', () => {
  it('are found', () => {
    expect(parameters.length).toBeGreaterThan(20);
  });

  it.each(parameters)('$document: $name has a label in words', ({ document, name }) => {
    const inEnglish = parameterTitle(document, name, wordsOf(english));
    expect(inEnglish).toMatch(/^[A-Z]/);
    expect(inEnglish).not.toMatch(/[a-z][A-Z]/);
    const inChinese = parameterTitle(document, name, wordsOf(chinese));
    expect(inChinese).toMatch(/[\u4e00-\u9fff]|^SHA-256$/);
    expect(parameterAbout(document, [name, { type: 'String' }], wordsOf(chinese))).toMatch(
      /[\u4e00-\u9fff]/,
    );
  });
});

it('parameters of other documents have the words of their names', () => {
  expect(parameterTitle('Shop-set-printer', 'paperWidth', wordsOf(english))).toBe('Paper width');
});
