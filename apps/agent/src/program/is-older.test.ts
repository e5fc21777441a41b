import { expect, test } from 'vitest';
import { isOlder } from './is-older.ts';

test.each([
  ['0.1.0', '0.2.0', true],
  ['0.10.0', '0.9.0', false],
  ['1.0.0', '1.0.0', false],
  ['1.0.0-rc.2', '1.0.0', true],
  ['1.0.0-rc.2', '1.0.0-rc.10', true],
  ['1.0.0-alpha', '1.0.0-1', false],
  ['1.0.0-rc', '1.0.0-rc.1', true],
  ['1.0.0+build', '1.0.0', false],
])('%s is older than %s: %s', (version, than, expected) => {
  expect(isOlder(version, than)).toBe(expected);
});
