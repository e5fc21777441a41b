import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

test('"Where is …" leads thirty behaviors to places that exist', () => {
  const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  const [, section = ''] = page.split('## Where is …');
  const rows = (section.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| '));
  const places = rows.slice(2).map((row) => row.split('|')[2] ?? '');
  expect(places.length).toBeGreaterThanOrEqual(30);
  const paths = places.flatMap((place) =>
    Array.from(place.matchAll(/`([^`]+)`/g), ([, path = '']) => path),
  );
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('each file named with its folder leads to one file', () => {
  const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  const files = globSync(
    ['apps/*/{src,build}/**/*.{ts,tsx}', 'packages/*/src/**/*.{ts,tsx}', 'scripts/**/*.ts'],
    {
      cwd: root,
    },
  );
  const named = Array.from(page.matchAll(/`([\w.-]+\/[\w./-]+\.tsx?)`/g), ([, path = '']) => path);
  const leadsNowhere = named.filter(
    (path) =>
      !existsSync(join(root, path)) &&
      files.filter((file) => file.endsWith(`/${path}`)).length !== 1,
  );
  expect(leadsNowhere).toEqual([]);
});
