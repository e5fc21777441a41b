import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AGENT_VERSION } from '../src/agent-version.ts';
import { buildBundle, buildLauncher } from '../src/build-bundle.ts';
import { programRoot } from '../src/machine/package-directory.ts';
import { writeIdentity } from '../src/store/identity-file.ts';
import { upgradeProgram } from '../src/upgrade.ts';
import { installAgent, type InstalledAgent } from './support/installed-agent.ts';
import { fakeAgent, newReleaseKey, released } from './support/release-key.ts';
import { startTestGateway, type TestGateway } from './support/test-gateway.ts';

const run = promisify(execFile);
const key = newReleaseKey();
let gateway: TestGateway;
let launcher: string;
let agent: InstalledAgent;
const children: ChildProcess[] = [];

beforeAll(async () => {
  gateway = await startTestGateway();
  launcher = await buildLauncher();
});
afterAll(() => gateway[Symbol.asyncDispose]());
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await agent[Symbol.asyncDispose]();
});

async function install(program: Uint8Array): Promise<void> {
  agent = await installAgent(program, { launcher, identity: await gateway.createIdentity(), key });
}
async function upgradeTo(file: Uint8Array): Promise<string> {
  const path = join(agent.directory, 'update.mjs');
  await writeFile(path, file);
  return upgradeProgram({ stateDirectory: agent.directory, from: path });
}

describe('an update', () => {
  beforeEach(() => install(fakeAgent('0.1.0', `console.log('old')`)));

  test('[update-1] is installed if a pinned key signed it', async () => {
    expect(await upgradeTo(await released(fakeAgent('0.2.0'), '0.2.0', key))).toBe('0.2.0');
    expect(await agent.current()).toBe('0.2.0');
  });

  const changed = async (): Promise<Buffer> => {
    const file = await released(fakeAgent('0.2.0', 'original'), '0.2.0', key);
    return Buffer.from(file.toString('latin1').replace('original', 'changed!'), 'latin1');
  };
  const appended = async (): Promise<Buffer> =>
    Buffer.concat([await released(fakeAgent('0.2.0'), '0.2.0', key), fakeAgent('0.2.0')]);

  test.each([
    ['is not signed', 'not signed', async () => fakeAgent('0.2.0')],
    [
      'somebody else signed',
      'does not trust',
      () => released(fakeAgent('0.2.0'), '0.2.0', newReleaseKey()),
    ],
    ['was changed', 'does not match its signature', changed],
    ['has code behind its signature', 'not signed', appended],
    ['is older', 'is older than', () => released(fakeAgent('0.0.9'), '0.0.9', key)],
    [
      'is older, by a pre-release',
      'is older than',
      () => released(fakeAgent('0.1.0-rc.1'), '0.1.0-rc.1', key),
    ],
    [
      'does not say the version that was signed',
      'cannot run on this machine',
      () => released(fakeAgent('0.0.9'), '0.2.0', key),
    ],
  ])('is rejected when it %s', async (_what, reason, make) => {
    await expect(upgradeTo(await make())).rejects.toThrow(reason);
    expect(await agent.current()).toBe('0.1.0');
    expect(await agent.isOnTrial()).toBe(false);
  });

  test('to an older version is installed if its signature allows it', async () => {
    await upgradeTo(await released(fakeAgent('0.0.9'), '0.0.9', key, true));
    expect(await agent.current()).toBe('0.0.9');
  });

  test('[update-4] is rejected by a machine that has not pinned a key', async () => {
    const identity = await gateway.createIdentity();
    await writeIdentity(agent.directory, identity);
    const file = await released(fakeAgent('0.2.0'), '0.2.0', key);
    await expect(upgradeTo(file)).rejects.toThrow('no update key is known');
  });

  test.each([
    ['does not start', `throw new Error('broken')`, 'failed'],
    ['hangs', 'for (;;) {}', 'SIGKILL'],
    ['does not reach the portal', 'setInterval(() => {}, 1000)', 'SIGKILL'],
  ])('that %s is rolled back to the previous version', async (_what, work, end) => {
    await upgradeTo(await released(fakeAgent('0.2.0', work), '0.2.0', key));
    for (let attempt = 0; attempt < 3; attempt += 1) expect(await agent.launch(400)).toBe(end);
    expect(await agent.launch()).toBe('old');
    expect(await agent.current()).toBe('0.1.0');
    expect(await agent.launch()).toBe('old');
    expect(await agent.isOnTrial()).toBe(false);
    await upgradeTo(await released(fakeAgent('0.2.1', `console.log('new')`), '0.2.1', key));
    expect(await agent.launch()).toBe('new');
  });
});

describe('the real agent', () => {
  test('is updated by its own command, reports it, and ends its trial when it is connected', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'bundle-'));
    const built = await readFile(await buildBundle(join(folder, 'built.mjs')));
    await rm(folder, { recursive: true });
    await install(await released(built, AGENT_VERSION, key));
    const { directory } = agent;
    const { deviceId } = JSON.parse(await readFile(join(directory, 'identity.json'), 'utf8'));
    const next = built
      .toString('utf8')
      .replace(`AGENT_VERSION = "${AGENT_VERSION}"`, 'AGENT_VERSION = "9.0.0"');
    const update = join(directory, 'update.mjs');
    await writeFile(update, await released(Buffer.from(next), '9.0.0', key));
    const program = join(programRoot(directory), 'agent/current/agent.mjs');
    const { stdout } = await run(process.execPath, [
      ...[program, 'upgrade', '--from', update, '--state-dir', directory],
    ]);
    expect(stdout).toContain('agent 9.0.0 installed');
    expect(await agent.isOnTrial()).toBe(true);
    const service = join(programRoot(directory), 'agent-launcher.mjs');
    children.push(
      spawn(process.execPath, [service, 'run', '--service', '--state-dir', directory], {
        stdio: 'ignore',
      }),
    );
    await gateway.until(() =>
      gateway
        .entries(deviceId)
        .some((entry) => entry.kind === 'event' && entry.type === 'agent-updated'),
    );
    const { status } = gateway.statuses.findLast((item) => item.deviceId === deviceId) ?? {};
    expect(status?.agentVersion).toBe('9.0.0');
    expect(await agent.isOnTrial()).toBe(false);
  });
});
