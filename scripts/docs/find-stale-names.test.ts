import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { findStaleNames } from './find-stale-names.ts';

const root = resolve(import.meta.dirname, '../..');

test.each(['docs/security.md', 'docs/asvs.md', 'docs/guides/hardening.md'])(
  '[docs-names-1] what %s names is there',
  (page) => {
    expect(findStaleNames(root, page)).toEqual([]);
  },
);

test('[docs-names-2] a file, a test, a folder, a link and a heading that are gone are found', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pages-'));
  await mkdir(join(folder, 'docs'));
  await mkdir(join(folder, 'apps/server/tests/attacks'), { recursive: true });
  const attack = 'apps/server/tests/attacks/steal.test.ts';
  await writeFile(join(folder, attack), "test('[steal-1] a stranger cannot steal', () => {});");
  await writeFile(join(folder, 'docs/other.md'), '# Other\n\n## What it says, and why\n');
  const page = [
    '`steal.test.ts`, `apps/server/tests/attacks/steal.test.ts` (steal-1), `apps/server/tests`',
    '[other](other.md#what-it-says-and-why), `npm run docs`, `/idp`, `node:crypto`',
    '`lie.test.ts`, `apps/server/tests/attacks/steal.test.ts` (steal-1, steal-2), `apps/gone/src`',
    '[gone](gone.md), [nowhere](other.md#nowhere), `package-lock.json`',
  ];
  await writeFile(join(folder, 'docs/page.md'), page.join('\n'));
  expect(findStaleNames(folder, 'docs/page.md')).toEqual([
    'apps/server/tests/attacks/lie.test.ts',
    `${attack} [steal-2]`,
    'apps/gone/src',
    'package-lock.json',
    'docs/gone.md',
    'docs/other.md#nowhere',
  ]);
});
