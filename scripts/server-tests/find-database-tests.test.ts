import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readImports } from '../dependencies/read-imports.ts';
import { findDatabaseTests } from './find-database-tests.ts';

const root = resolve(import.meta.dirname, '../..');
/** In two parts, so that this file is not found. */
const ASKS = ['const url = inject(', "'databaseUrl');"].join('');
const readText = (path: string): string => readFileSync(join(root, path), 'utf8');

test('a test that uses the database through other modules is found, one that names only its types is not', () => {
  const texts: Readonly<Record<string, string>> = {
    'support/database.ts': ASKS,
  };
  const given = { relative: true, typeOnly: false };
  const found = findDatabaseTests(
    [
      { ...given, from: 'support/database.ts', to: 'npm:vitest' },
      { ...given, from: 'support/server.ts', to: 'support/database.ts' },
      { ...given, from: 'through-server.test.ts', to: 'support/server.ts' },
      { ...given, from: 'only-types.test.ts', to: 'support/server.ts', typeOnly: true },
      { ...given, from: 'pure.test.ts', to: 'npm:vitest' },
    ],
    (path) => texts[path] ?? '',
  );
  expect(found).toEqual(['through-server.test.ts']);
});

test('in the repository, tests that call the fixtures of a database are found, and pure ones are not', () => {
  const found = findDatabaseTests(readImports(root), readText);
  const calling = globSync('{apps/server,packages/identity}/tests/**/*.test.ts', {
    cwd: root,
  }).filter((path) =>
    /\b(?:createTestDatabase|startTestServer|startIdentityServer)\(/.test(readText(path)),
  );
  expect(calling.length).toBeGreaterThan(100);
  expect(found).toEqual(expect.arrayContaining(calling));
  expect(found).not.toContain('apps/server/tests/api/permissions.test.ts');
});
