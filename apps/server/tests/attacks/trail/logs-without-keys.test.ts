import { execFileSync } from 'node:child_process';
import { link, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runBuiltin } from '../../support/run-builtin.ts';

const SECRET = 'PRIVATE KEY of this device';
let folder = '';
let state = '';
let logs = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deviceportal-logs-'));
  state = join(folder, 'state');
  logs = join(folder, 'log');
  for (const path of [state, logs, join(folder, 'bin'), join(folder, 'artefacts')])
    await mkdir(path);
  for (const name of ['identity.json', 'config.json', 'journal.jsonl'])
    await writeFile(join(state, name), `${SECRET}\n`);
  await writeFile(join(folder, 'bin', 'journalctl'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const environment = (directory = state) => ({
  DEVICEPORTAL_STATE: directory,
  DEVICEPORTAL_ARTEFACTS: join(folder, 'artefacts'),
});

const show = (path: string, directory?: string) =>
  runBuiltin('logs-tail', {
    folder,
    parameters: { path, lines: '10', contains: '' },
    environment: environment(directory),
    replace: { ' /var/log ': ` ${logs} `, 'real /var/log': `real ${logs}` },
  });

async function expectRefused(path: string, directory?: string): Promise<void> {
  const { code, stdout, stderr } = await show(path, directory);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('is no log');
}

test("a permission for reading does not reveal the agent's private key or settings", async () => {
  for (const name of await readdir(state)) await expectRefused(join(state, name));
  await expectRefused(`${state}//identity.json`);
  await expectRefused(`${state}/./identity.json`);
});

test("a link below the logs or in the agent's directory reveals only logs", async () => {
  await symlink(join(state, 'identity.json'), join(logs, 'linked.log'));
  await symlink(join(state, 'identity.json'), join(state, 'linked.log'));
  await symlink(state, join(logs, 'directory'));
  await symlink('/etc/passwd', join(logs, 'users.log'));
  for (const path of ['linked.log', 'directory/identity.json', 'users.log'])
    await expectRefused(join(logs, path));
  await expectRefused(join(state, 'linked.log'));
});

test('the key is not revealed if the directory of the agent is below the logs', async () => {
  const below = join(logs, 'agent');
  await mkdir(join(below, 'commands'), { recursive: true });
  await writeFile(join(below, 'identity.json'), SECRET);
  await writeFile(join(below, 'commands', 'script.log'), SECRET);
  await symlink(below, join(folder, 'another-name'));
  for (const path of ['identity.json', 'commands/script.log']) {
    await expectRefused(join(below, path), below);
    await expectRefused(join(below, path), join(folder, 'another-name'));
  }
});

test('logs are shown, also through links among them', async () => {
  await writeFile(join(state, 'agent.log'), 'of the agent\n');
  await writeFile(join(logs, 'app-1.txt'), 'of an application\n');
  await symlink('app-1.txt', join(logs, 'current'));
  expect(await show(join(state, 'agent.log'))).toMatchObject({ stdout: 'of the agent\n' });
  expect(await show(join(logs, 'current'))).toMatchObject({ stdout: 'of an application\n' });
  expect((await show(join(logs, 'missing.log'))).stderr).toContain('does not exist');
});

test('collected logs contain neither the private key nor the target of a link', async () => {
  await mkdir(join(logs, 'agent'));
  await writeFile(join(logs, 'agent', 'changelog.json'), SECRET);
  await writeFile(join(logs, 'agent', 'agent.log'), 'of the agent\n');
  await writeFile(join(logs, 'app.log'), 'of an application\n');
  await link(join(logs, 'app.log'), join(logs, 'second.log'));
  await symlink(join(state, 'identity.json'), join(logs, 'linked.log'));
  const { code } = await runBuiltin('logs-collect', {
    folder,
    parameters: { hours: '1' },
    environment: environment(join(logs, 'agent')),
    replace: {
      ' /var/log ': ` ${logs} `,
      'real /var/log': `real ${logs}`,
      // Replaced by a link after the search has returned it.
      'real "$file"': `ln -sf ${state}/identity.json ${logs}/second.log; real "$file"`,
    },
  });
  expect(code).toBe(0);
  const [archive = ''] = await readdir(join(folder, 'artefacts'));
  const text = execFileSync('tar', ['-xzOf', join(folder, 'artefacts', archive)]).toString();
  expect(text).toContain('of the agent');
  expect(text).toContain('of an application');
  expect(text).not.toContain(SECRET);
});
