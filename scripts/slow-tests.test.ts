import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const { server, browser } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'slow-tests.json'), 'utf8'),
) as { readonly server: readonly string[]; readonly browser: readonly string[] };

test('no test is lost: each file that npm test leaves out exists for the thorough run, and runs only there', () => {
  const files = [...server, ...browser.map((path) => join('e2e', path))];
  expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(files.filter((path) => path.includes('.walk.'))).toEqual([]);
  expect(new Set(files).size).toBe(files.length);
});
