import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, readdir, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SoftwareUploadLink, VersionMatrix } from '@deviceportal/contract/versions';
import { AcceptanceFixture, dataOf } from '../acceptance/acceptance-fixture.ts';
import { openInterruptingProxy, type InterruptingProxy } from '../support/interrupting-proxy.ts';
import { until } from '../support/gateway-fixture.ts';
import { PortalPerson } from '../support/portal-person.ts';
import { agentProgram, PortalPrograms } from '../support/programs/portal-programs.ts';

const LIMIT_MS = 90_000;
const COMPONENT = 'signage';
const resources = new AsyncDisposableStack();
let portal: PortalPrograms;
let admin: PortalPerson;
let setup: AcceptanceFixture;
let proxy: InterruptingProxy;
let stateDir: string;
let deviceId: string;

beforeAll(async () => {
  portal = resources.use(await PortalPrograms.prepare());
  await portal.startServer();
  admin = await PortalPerson.signIn(portal.url);
  setup = new AcceptanceFixture(admin);
  const breaks = { path: '/device-software/', times: 2, afterBytes: 300_000 };
  proxy = resources.use(await openInterruptingProxy(portal.url, breaks));
  stateDir = join(portal.dataDir, 'agent-rollout');
  const program = resources.use(agentProgram(['--server', proxy.url, '--state-dir', stateDir]));
  program.start({ DEVICEPORTAL_AGENT_CLAIM: await admin.createClaim('rollout') });
  const identity = async () =>
    JSON.parse(
      await until(() => readFile(join(stateDir, 'identity.json'), 'utf8').catch(() => '')),
    );
  deviceId = await admin.untilOnline({ identity });
}, LIMIT_MS);
afterAll(() => resources.disposeAsync(), LIMIT_MS);

/** An archive that contains its version. */
async function archiveOf(version: string): Promise<Buffer> {
  const folder = join(portal.dataDir, `source-${version}`);
  await mkdir(folder);
  await writeFile(join(folder, 'version'), version);
  await writeFile(join(folder, 'image'), randomBytes(2_000_000));
  await writeFile(join(folder, 'install.sh'), 'cp version installed-version\n');
  const path = join(portal.dataDir, `signage ${version}.tar.gz`);
  await promisify(execFile)('tar', ['-czf', path, '-C', folder, '.']);
  return readFile(path);
}

async function release(version: string): Promise<string> {
  const content = await archiveOf(version);
  const named = { component: COMPONENT, version };
  dataOf(await admin.order('versions.register', named));
  const asked = { ...named, name: `signage ${version}.tar.gz`, bytes: content.length };
  const { url } = dataOf<SoftwareUploadLink>(await admin.order('versions.createUpload', asked));
  const sent = await fetch(new URL(url, portal.url), {
    method: 'PUT',
    body: new Uint8Array(content),
  });
  expect(sent.status).toBe(201);
  dataOf(await admin.order('versions.changeState', { ...named, state: 'approved' }));
  dataOf(await admin.order('versions.approve', { ...named, model: '*', country: '*' }));
  return createHash('sha256').update(content).digest('hex');
}

const install = (version: string) =>
  setup.run({
    deviceId,
    command: 'software/install',
    parameters: { component: COMPONENT, version },
  });

const cells = async () => {
  const input = { component: COMPONENT };
  const matrix = dataOf<VersionMatrix>(await admin.ask('versions.getMatrix', input));
  return matrix.rows.flatMap((row) => row.cells.map(({ version, state }) => [version, state]));
};

const installed = (name: string) => join(stateDir, 'packages', COMPONENT, name);

test(
  'installs an uploaded and approved file on a real device despite interruptions, and updates the matrix',
  async () => {
    await release('1.0.0');
    const ended = await install('1.0.0');
    expect(ended).toMatchObject({ state: 'Success' });
    expect(await readFile(installed('current/installed-version'), 'utf8')).toBe('1.0.0');
    // Interrupted twice and resumed twice.
    expect(proxy.ranges).toHaveLength(3);
    expect(proxy.ranges.map((range) => range !== '')).toEqual([false, true, true]);
    await until(async () => (await cells()).length > 0);
    expect(await cells()).toEqual([['1.0.0', 'current']]);
  },
  LIMIT_MS,
);

test(
  'replaces a version by the next in one step, and keeps the last three for an undo',
  async () => {
    for (const version of ['1.1.0', '1.2.0', '1.3.0', '1.4.0']) {
      await release(version);
      expect(await install(version)).toMatchObject({ state: 'Success' });
    }
    expect(await readlink(installed('current'))).toBe('1.4.0');
    expect(await readlink(installed('previous'))).toBe('1.3.0');
    expect((await readdir(installed('.'))).filter((name) => /^\d/.test(name)).toSorted()).toEqual([
      '1.1.0',
      '1.2.0',
      '1.3.0',
      '1.4.0',
    ]);
    await until(async () => (await cells()).some(([version]) => version === '1.4.0'));
    expect(await cells()).toEqual([['1.4.0', 'current']]);
  },
  LIMIT_MS,
);

test(
  'lets a document fetch a file by its portal address, without credentials in its output',
  async () => {
    const sha256 = await release('2.0.0');
    const content = {
      schemaVersion: '2.2',
      mainSteps: [
        {
          action: 'aws:downloadContent',
          name: 'fetch',
          inputs: {
            sourceType: 'HTTP',
            sourceInfo: { url: `deviceportal:software/${COMPONENT}/2.0.0` },
            destinationPath: 'signage.tar.gz',
          },
        },
        {
          action: 'aws:runShellScript',
          name: 'hash',
          inputs: { runCommand: ['sha256sum signage.tar.gz || shasum -a 256 signage.tar.gz'] },
        },
      ],
    };
    const author = await PortalPerson.signIn(portal.url, 'operator');
    const version = { name: 'Fetch-signage', version: 1 };
    dataOf(
      await author.order('documents.create', {
        name: 'Fetch-signage',
        description: 'Fetches a version.',
        consequence: 'reads',
        content: JSON.stringify(content),
      }),
    );
    dataOf(await author.order('documents.sendForReview', version));
    dataOf(await admin.order('documents.approve', version));
    const ended = await setup.run({ deviceId, command: 'document', document: 'Fetch-signage' });
    expect(ended.stdout.text).toContain(sha256);
    expect(ended.stdout.text + ended.stderr.text).not.toContain('signature');
  },
  LIMIT_MS,
);

test(
  'reports a version without a file, and does not install a blocked one',
  async () => {
    const named = { component: COMPONENT, version: '1.5.0' };
    dataOf(await admin.order('versions.register', named));
    const without = await install('1.5.0');
    expect(without).toMatchObject({ state: 'Failed' });
    expect(without.stderr.text).toContain('the portal has no approved file');
    await release('1.6.0');
    const blocked = { component: COMPONENT, version: '1.6.0', state: 'blocked' };
    dataOf(await admin.order('versions.changeState', blocked));
    expect(await install('1.6.0')).toMatchObject({ state: 'Failed' });
    expect(await readlink(installed('current'))).toBe('1.4.0');
  },
  LIMIT_MS,
);
