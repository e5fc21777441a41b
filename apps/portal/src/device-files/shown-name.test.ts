import { expect, test } from 'vitest';
import { joinPath, shownName } from './shown-name.ts';

test('a name cannot hide its end or break a line', () => {
  expect(shownName('invoice\u202Efdp.exe')).toBe('invoice\\u202efdp.exe');
  expect(shownName('two\nlines\u0007')).toBe('two\\u000alines\\u0007');
  expect(shownName('报告 2026.txt')).toBe('报告 2026.txt');
});

test('an allowed folder is named by its whole path, and others by their name', () => {
  expect(joinPath('', '/var/log')).toBe('/var/log');
  expect(joinPath('/', 'etc')).toBe('/etc');
  expect(joinPath('/var/log', 'syslog')).toBe('/var/log/syslog');
});
