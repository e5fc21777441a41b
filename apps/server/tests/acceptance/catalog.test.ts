import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readBuiltinDocuments } from '../../src/documents/load-builtin-documents.ts';
import { PortalPerson } from '../support/portal-person.ts';
import { PortalPrograms, type AgentProgram } from '../support/programs/portal-programs.ts';
import { AcceptanceFixture, dataOf } from './acceptance-fixture.ts';

const START_LIMIT_MS = 60_000;
const LIMIT_MS = 30_000;
const SERIAL_NUMBER = 'FAULT-CATALOG-01';
const resources = new AsyncDisposableStack();
let portal: PortalPrograms;
let admin: PortalPerson;
let setup: AcceptanceFixture;
let agent: AgentProgram;
let deviceId: string;

beforeAll(async () => {
  portal = resources.use(await PortalPrograms.prepare());
  await portal.startServer();
  admin = await PortalPerson.signIn(portal.url);
  setup = new AcceptanceFixture(admin);
  agent = portal.startAgent('catalog', await admin.createClaim('catalog'));
  deviceId = await admin.untilOnline(agent);
}, START_LIMIT_MS);
afterAll(() => resources.disposeAsync(), START_LIMIT_MS);

const run = (command: string, parameters: Record<string, unknown> = {}) =>
  setup.run({ deviceId, command, parameters });

interface Look {
  readonly command: string;
  readonly parameters?: Record<string, unknown>;
  /** Exit codes that are correct depending on the machine; the first if everything is installed. */
  readonly codes: readonly number[];
  readonly says: RegExp;
}

const looks: readonly Look[] = [
  { command: 'logs/tail', parameters: { lines: 5 }, codes: [0], says: /\S/ },
  { command: 'logs/tail', parameters: { path: '/etc/passwd' }, codes: [2], says: /is no log/ },
  { command: 'network/diagnose', codes: [0], says: /== interfaces[\s\S]*== clock[\s\S]*== result/ },
  {
    command: 'network/ping',
    parameters: { host: '127.0.0.1', count: 1 },
    codes: [0, 127],
    says: /1 received|1 packets received|ping is not installed/,
  },
  {
    command: 'network/dns',
    parameters: { name: 'localhost' },
    codes: [0],
    says: /127\.0\.0\.1|::1/,
  },
  {
    command: 'network/dns',
    parameters: { name: 'no-such-name.invalid' },
    codes: [2],
    says: /does not resolve/,
  },
  {
    command: 'storage/usage',
    parameters: { path: '/etc', top: 3 },
    codes: [0],
    says: /Filesystem[\s\S]*largest below \/etc/,
  },
  {
    command: 'process/top',
    parameters: { count: 3, by: 'memory' },
    codes: [0],
    says: /PID[\s\S]*COMMAND\n(.*\n){3}/,
  },
  {
    command: 'service/status',
    codes: [0, 127],
    says: /^== .*services|no service manager/m,
  },
  { command: 'config/show', codes: [0], says: /every value is at its default/ },
  { command: 'locate', codes: [0, 3], says: /within \d+|cannot determine its location/ },
  {
    command: 'restart/service',
    parameters: { service: 'no-such-service' },
    codes: [5, 127],
    says: /There is no service no-such-service|no service manager/,
  },
  { command: 'process/kill', parameters: { pid: 1 }, codes: [2], says: /is needed/ },
];

describe('the catalog on a real machine', () => {
  test.each(looks)(
    'runs $command $parameters with readable output and a correct exit code',
    async ({ command, parameters, codes, says }) => {
      const ended = await run(command, parameters);
      expect(codes).toContain(ended.responseCode);
      expect(ended.state).toBe(ended.responseCode === 0 ? 'Success' : 'Failed');
      expect(ended.stdout.text + ended.stderr.text).toMatch(says);
    },
    LIMIT_MS,
  );

  test(
    'previews storage/clean in a test folder',
    async () => {
      const own = join(portal.dataDir, 'to-clean');
      await mkdir(own);
      const builtins = await readBuiltinDocuments();
      const builtin = builtins.find(({ name }) => name === 'DevicePortal-storage-clean');
      const content = (builtin?.content ?? '')
        .replace("temporary='/tmp /var/tmp'", `temporary=${own}`)
        .replace('logs=/var/log', `logs=${own}`);
      expect(content.split(own)).toHaveLength(3);
      const author = await PortalPerson.signIn(portal.url, 'operator');
      const document = { name: 'CleanFolder', consequence: 'changes', content };
      dataOf(await author.order('documents.create', document));
      const version = { name: 'CleanFolder', version: 1 };
      dataOf(await author.order('documents.sendForReview', version));
      dataOf(await admin.order('documents.approve', version));
      const ended = await setup.run({
        deviceId,
        command: 'document',
        document: 'CleanFolder',
        parameters: { dryRun: true, days: 365 },
      });
      expect(ended).toMatchObject({ state: 'Success', responseCode: 0 });
      expect(ended.stdout.text).toMatch(/before: \d/);
    },
    LIMIT_MS,
  );

  test('rejects an out-of-range parameter with its path, and sends nothing', async () => {
    const answer = await setup.order({
      deviceId,
      command: 'process/top',
      parameters: { count: 500 },
    });
    expect(answer.code).toBe(2004);
    expect(answer.issues[0]?.path).toEqual(['parameters', 'count']);
  });

  test(
    'downloads the file of logs/collect completely, with any accepted encoding',
    async () => {
      const { artifacts, state } = await run('logs/collect', { hours: 1 });
      expect(state).toBe('Success');
      const [file] = artifacts;
      expect(file?.name).toMatch(/\.tar\.gz$/);
      const reply = await fetch(new URL(file?.downloadUrl ?? '', portal.url), {
        headers: { 'accept-encoding': 'gzip, deflate, br' },
      });
      expect(reply.headers.get('content-encoding')).toBeNull();
      const content = Buffer.from(await reply.arrayBuffer());
      expect(content.length).toBe(file?.bytes);
      expect(createHash('sha256').update(content).digest('hex')).toBe(file?.sha256);
      expect(gunzipSync(content).includes('logs/system.txt')).toBe(true);
    },
    LIMIT_MS,
  );

  test(
    "stores the machine's versions for the device with software/inventory",
    async () => {
      expect(await run('software/inventory')).toMatchObject({ state: 'Success', responseCode: 0 });
      const { software } = await setup.untilDevice(
        deviceId,
        (device) => device.software.length > 3,
      );
      expect(software.map(({ component }) => component)).toEqual(
        expect.arrayContaining(['agent', 'kernel', 'node', 'os']),
      );
    },
    LIMIT_MS,
  );

  test(
    'ends a process with process/kill, and reports a missing one',
    async () => {
      const child = spawn('sleep', ['300'], { stdio: 'ignore' });
      const exited = once(child, 'exit');
      const killed = await run('process/kill', { pid: child.pid });
      expect(killed).toMatchObject({ state: 'Success', responseCode: 0 });
      expect(await exited).toEqual([null, 'SIGTERM']);
      const again = await run('process/kill', { pid: child.pid });
      expect(again).toMatchObject({ state: 'Failed', responseCode: 3 });
    },
    LIMIT_MS,
  );

  test(
    'cancels a running script and keeps its output',
    async () => {
      const script = 'echo begun; sleep 60; echo never';
      const id = await setup.send({ deviceId, command: 'shell', parameters: { script } });
      await setup.untilInvocation(id, ({ stdout }) => stdout.text.includes('begun'));
      await setup.cancel(id);
      const ended = await setup.untilInvocation(id, ({ endedAt }) => endedAt !== null);
      expect(ended).toMatchObject({ state: 'Cancelled', statusDetails: 'Cancelled' });
      expect(ended.stdout.text).toBe('begun\n');
    },
    LIMIT_MS,
  );

  test(
    'reports a configured location with locate, and erases it with factory-reset',
    async () => {
      for (const [key, value] of [
        ['location.latitude', '52.52'],
        ['location.longitude', '13.405'],
      ]) {
        expect(await run('config/set', { key, value })).toMatchObject({ responseCode: 0 });
      }
      expect((await run('config/show')).stdout.text).toContain('location.latitude = "52.52"');
      expect(await run('locate')).toMatchObject({ state: 'Success' });
      const { place } = await setup.untilDevice(deviceId, (device) => device.place !== null);
      // Rounded on the device page: the precise location is a separate access, which is recorded.
      expect(place).toMatchObject({ latitude: 52.5, longitude: 13.4, source: 'manual' });

      const refused = await setup.order({ deviceId, command: 'factory-reset' });
      expect(refused.code).toBe(2004);
      const order = { deviceId, command: 'factory-reset', confirmation: SERIAL_NUMBER };
      expect(await setup.run(order)).toMatchObject({ state: 'Success', responseCode: 0 });
      await setup.untilDevice(deviceId, ({ connectivity }) => connectivity === 'online');
      expect((await run('config/show')).stdout.text).toMatch(/every value is at its default/);
    },
    LIMIT_MS,
  );

  test(
    'verifies a setting on the device, and restores the previous value by undo',
    async () => {
      const given = { key: 'upload.interval', value: '60' };
      await run('config/set', { ...given, value: '300' });
      const set = await run('config/set', given);
      expect(set.steps.map(({ phase, state }) => `${phase} ${state}`)).toEqual([
        'preCheck Success',
        'main Success',
        'verify Success',
      ]);
      const undone = await setup.undo({ runId: set.runId, deviceId });
      expect(undone).toMatchObject({ state: 'Success', undoes: set.runId });
      expect(undone.steps.map(({ phase }) => phase)).toEqual(['undo']);
      expect((await run('config/show')).stdout.text).toContain('upload.interval = "300"');
    },
    LIMIT_MS,
  );

  test(
    'ends restart/agent successfully, with the agent back under the same identity',
    async () => {
      const before = await setup.untilDevice(
        deviceId,
        ({ connectivity }) => connectivity === 'online',
      );
      expect(await run('restart/agent')).toMatchObject({ state: 'Success', responseCode: 0 });
      const after = await setup.untilDevice(
        deviceId,
        (device) =>
          device.connectivity === 'online' && device.connectivitySince !== before.connectivitySince,
      );
      expect(after.instanceId).toBe(before.instanceId);
      const folder = join(portal.dataDir, 'agent-catalog');
      const { stdout } = await run('shell', { script: 'echo "$DEVICEPORTAL_STATE"' });
      expect(stdout.text).toBe(`${folder}\n`);
    },
    LIMIT_MS,
  );

  test(
    'ends a step beyond its timeout as timed out, with its output so far',
    async () => {
      const content = `schemaVersion: '2.2'
mainSteps:
  - action: aws:runShellScript
    name: slow
    inputs:
      timeoutSeconds: 1
      runCommand: ['echo begun; sleep 60; echo never']
`;
      const document = { name: 'TooSlow', consequence: 'reads', content };
      const author = await PortalPerson.signIn(portal.url, 'operator');
      dataOf(await author.order('documents.create', document));
      const version = { name: 'TooSlow', version: 1 };
      dataOf(await author.order('documents.sendForReview', version));
      dataOf(await admin.order('documents.approve', version));
      const ended = await setup.run({ deviceId, command: 'document', document: 'TooSlow' });
      expect(ended).toMatchObject({ state: 'TimedOut', statusDetails: 'Execution Timed Out' });
      expect(ended.stdout.text).toBe('begun\n');
    },
    LIMIT_MS,
  );
});
