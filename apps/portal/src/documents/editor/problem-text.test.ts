import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { IntlMessageFormat } from 'intl-messageformat';
import { expect, it, test } from 'vitest';
import type { DocumentProblem } from '@deviceportal/contract/documents';
import type { Translate } from '../../i18n/use-t.ts';
import english from '../messages/en.json' with { type: 'json' };
import chinese from '../messages/zh-CN.json' with { type: 'json' };
import { problemText } from './problem-text.ts';

const parser = createRequire(new URL('../../../../server/package.json', import.meta.url));
const declared = readFileSync(join(dirname(parser.resolve('yaml')), 'errors.d.ts'), 'utf8');
/** Codes of the YAML parser, without that of its own faults. */
const codes = Array.from(
  /type ErrorCode = ([^;]+);/.exec(declared)?.[1]?.matchAll(/'(\w+)'/g) ?? [],
  ([, code = '']) => code,
).filter((code) => code !== 'IMPOSSIBLE');

const inChinese = translateWith(chinese, 'zh-CN');
const problem = (code: string): DocumentProblem => ({
  ...{ part: 'content', line: 1, column: 1, path: '', kind: 'syntax' },
  ...{ message: 'Tabs are not allowed', values: { code, message: 'Tabs are not allowed' } },
});

it('knows the codes of the parser', () => {
  expect(codes).toContain('TAB_AS_INDENT');
  expect(codes.length).toBeGreaterThan(15);
});

test.each(codes)('%s is described in Chinese', (code) => {
  expect(problemText(problem(code), inChinese)).toMatch(/^[^A-Za-z]*\p{Script=Han}/u);
});

test('the text of the parser remains in English, and for a code that is not known', () => {
  expect(problemText(problem('TAB_AS_INDENT'), translateWith(english, 'en'))).toBe(
    'Tabs are not allowed',
  );
  expect(problemText(problem('LATER_CODE'), inChinese)).toBe('Tabs are not allowed');
});

function translateWith(messages: Readonly<Record<string, string>>, language: string): Translate {
  return (key, values) =>
    String(new IntlMessageFormat(messages[key] ?? '', language).format(values));
}
