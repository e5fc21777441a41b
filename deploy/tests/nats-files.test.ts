import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deployDir } from './unit-file.ts';

test('the environment of a node of NATS has every value that its configuration takes from there', async () => {
  const read = (name: string) => readFile(join(deployDir, 'nats', name), 'utf8');
  const used = [...(await read('nats.conf')).matchAll(/\$(NATS_[A-Z_]+)/g)].map(([, name]) => name);
  const set = [...(await read('node.env')).matchAll(/^(NATS_[A-Z_]+)=/gm)].map(([, name]) => name);
  expect(new Set(set)).toEqual(new Set(used));
});
