import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { AGENT_VERSION } from './agent-version.ts';

test('the agent reports the version of its package', async () => {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  expect(AGENT_VERSION).toBe((JSON.parse(text) as { version: string }).version);
});
