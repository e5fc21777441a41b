import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { buildLauncher } from '../src/build-bundle.ts';
import { programRoot } from '../src/machine/package-directory.ts';
import { upgradeProgram } from '../src/upgrade.ts';
import { installAgent, type InstalledAgent } from './support/installed-agent.ts';
import { fakeAgent, newReleaseKey, released } from './support/release-key.ts';
import { startTestGateway, type TestGateway } from './support/test-gateway.ts';

/** Action of another process right after the file was verified. */
let afterCheck = async (): Promise<void> => {};
vi.mock(import('../src/program/open-release.ts'), async (original) => {
  const { openRelease } = await original();
  return {
    async openRelease(stateDirectory: string, file: string) {
      const release = await openRelease(stateDirectory, file);
      await afterCheck();
      return release;
    },
  };
});

const key = newReleaseKey();
let gateway: TestGateway;
let launcher: string;
let agent: InstalledAgent;
beforeAll(async () => {
  gateway = await startTestGateway();
  launcher = await buildLauncher();
});
afterAll(() => gateway[Symbol.asyncDispose]());
beforeEach(async () => {
  const identity = await gateway.createIdentity();
  agent = await installAgent(fakeAgent('0.1.0'), { launcher, identity, key });
});
afterEach(() => agent[Symbol.asyncDispose]());

test('a file that is replaced after verification is neither run nor installed', async () => {
  const [from, trace] = [join(agent.directory, 'update.mjs'), join(agent.directory, 'trace')];
  const signed = await released(fakeAgent('0.2.0'), '0.2.0', key);
  await writeFile(from, signed);
  const evil = `import { writeFileSync } from 'node:fs'; writeFileSync('${trace}', ''); console.log('0.2.0');`;
  afterCheck = () => writeFile(from, evil);
  expect(await upgradeProgram({ stateDirectory: agent.directory, from })).toBe('0.2.0');
  await expect(stat(trace)).rejects.toThrow('ENOENT');
  const installed = join(programRoot(agent.directory), 'agent/current/agent.mjs');
  expect((await readFile(installed)).equals(signed)).toBe(true);
});
