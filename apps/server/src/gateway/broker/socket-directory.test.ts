import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeSocketDirectory } from './socket-directory.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'dp-sock-'));
});
afterEach(async () => {
  await rm(dataDir, { recursive: true, force: true });
});

it('[socket-directory-1] creates the folder in the data folder, accessible to this account only', async () => {
  const made = await makeSocketDirectory(dataDir);
  expect(await readdir(dataDir)).toHaveLength(1);
  expect((await stat(made)).mode & 0o777).toBe(0o700);
});

it('removes what a killed server left behind and keeps what a running server uses', async () => {
  const killed = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(killed, 'exit');
  await mkdir(join(dataDir, `dp-live-${killed.pid}-abcdef`));
  await mkdir(join(dataDir, `dp-live-${process.ppid}-abcdef`));
  await makeSocketDirectory(dataDir);
  const names = await readdir(dataDir);
  expect(names).toHaveLength(2);
  expect(names).not.toContain(`dp-live-${killed.pid}-abcdef`);
});

it('uses another folder when the path of the data folder is too long for a socket', async () => {
  const deep = join(dataDir, 'x'.repeat(100));
  await mkdir(deep);
  const made = await makeSocketDirectory(deep);
  expect(made.startsWith(deep)).toBe(false);
  await rm(made, { recursive: true });
});
