import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const source = join(import.meta.dirname, '../../src');

test('whatever is refused with 2004 says why by a reason', () => {
  const without = globSync('**/*.ts', { cwd: source }).filter((path) =>
    readFileSync(join(source, path), 'utf8').includes("PortalError('invalidParameters'"),
  );
  expect(without).toEqual([]);
});

test('the portal compares reasons, never sentences', () => {
  const portal = join(import.meta.dirname, '../../../portal/src');
  const sentences = globSync('**/*.{ts,tsx}', { cwd: portal }).filter((path) =>
    /\.message\.(?:match|includes|startsWith|endsWith)\(|\.exec\((?:\w+\.)?message\)|\.test\((?:\w+\.)?message\)/.test(
      readFileSync(join(portal, path), 'utf8'),
    ),
  );
  expect(sentences).toEqual([]);
});
