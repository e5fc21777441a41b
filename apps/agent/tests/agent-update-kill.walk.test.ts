import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildLauncher } from '../src/build-bundle.ts';
import { programRoot } from '../src/machine/package-directory.ts';
import { takeReturned } from '../src/program/trial.ts';
import { installAgent } from './support/installed-agent.ts';
import { fakeAgent, newReleaseKey, released } from './support/release-key.ts';
import { startTestGateway } from './support/test-gateway.ts';

const TIMEOUT_MS = 170_000;
/** What a working version does after it has reached the portal. */
const works = (version: string): string =>
  `const { rmSync } = await import('node:fs'); const { join } = await import('node:path');
   rmSync(join(process.argv[1], '../../../trial.json'), { force: true }); console.log('${version}');`;

test(
  'an update that is killed before any file system call leaves a complete old or new version that starts',
  { timeout: TIMEOUT_MS },
  async () => {
    await using gateway = await startTestGateway();
    const [launcher, identity, key] = [
      await buildLauncher(),
      await gateway.createIdentity(),
      newReleaseKey(),
    ];
    const seen: string[] = [];
    for (let crashAt = 1; ; crashAt += 1) {
      await using agent = await installAgent(fakeAgent('0.1.0', works('old')), {
        ...{ launcher, identity, key },
      });
      const file = join(agent.directory, 'update.mjs');
      await writeFile(file, await released(fakeAgent('0.2.0', works('new')), '0.2.0', key));
      const isKilled = await update(agent.directory, file, crashAt);
      seen.push(await agent.launch());
      expect(await agent.isOnTrial()).toBe(false);
      if (!isKilled) break;
      // The second attempt installs it.
      expect(await update(agent.directory, file, 0)).toBe(false);
      expect(await agent.launch()).toBe('new');
    }
    expect(seen.length).toBeGreaterThan(20);
    expect(seen.findIndex((version) => version === 'new')).toBe(seen.lastIndexOf('old') + 1);
  },
);

test(
  'a rollback that is killed before any file system call ends at the previous version and is reported',
  { timeout: TIMEOUT_MS },
  async () => {
    await using gateway = await startTestGateway();
    const [launcher, identity, key] = [
      await buildLauncher(),
      await gateway.createIdentity(),
      newReleaseKey(),
    ];
    for (let crashAt = 1; ; crashAt += 1) {
      await using agent = await installAgent(fakeAgent('0.1.0', works('old')), {
        ...{ launcher, identity, key },
      });
      const file = join(agent.directory, 'update.mjs');
      const broken = fakeAgent('0.2.0', `throw new Error('broken')`);
      await writeFile(file, await released(broken, '0.2.0', key));
      await update(agent.directory, file, 0);
      const root = programRoot(agent.directory);
      const trial = { to: '0.2.0', from: '0.1.0' };
      await writeFile(join(root, 'trial.json'), JSON.stringify({ ...trial, attempts: 3 }));
      const isKilled = await ends('trial-process.ts', [root, String(crashAt)]);
      expect(await agent.launch()).toBe('old');
      expect(await agent.current()).toBe('0.1.0');
      expect(await agent.isOnTrial()).toBe(false);
      expect(await takeReturned(root)).toMatchObject(trial);
      if (isKilled) continue;
      expect(crashAt).toBeGreaterThan(10);
      break;
    }
  },
);

const update = (directory: string, file: string, crashAt: number): Promise<boolean> =>
  ends('update-process.ts', [directory, file, '0.2.0', String(crashAt)]);

/** True if the process killed itself. */
function ends(program: string, words: readonly string[]): Promise<boolean> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'support', program), ...words], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.once('exit', (code, signal) => {
      if (code === 0 || signal === 'SIGKILL') resolve(signal === 'SIGKILL');
      else reject(new Error(`${program} ended with ${code}`));
    });
  });
}
