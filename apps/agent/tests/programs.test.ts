import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AGENT_VERSION } from '../src/agent-version.ts';
import { buildBundle } from '../src/build-bundle.ts';
import { released } from './support/release-key.ts';
import { CLAIM, startTestEnrollment, type TestEnrollment } from './support/test-enrollment.ts';
import {
  outputOf,
  resultOf,
  shellCommand,
  startTestGateway,
  type TestGateway,
} from './support/test-gateway.ts';

const run = promisify(execFile);
const agentMain = join(import.meta.dirname, '../src/main.ts');
const fleetMain = join(import.meta.dirname, '../src/fleet/main.ts');

let gateway: TestGateway;
let enrollment: TestEnrollment;
let directory: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  gateway = await startTestGateway();
  enrollment = await startTestEnrollment(gateway);
});
afterAll(async () => {
  await enrollment[Symbol.asyncDispose]();
  await gateway[Symbol.asyncDispose]();
});
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'programs-'));
  enrollment.enrolled.length = 0;
});
afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => end(child, 'SIGKILL')));
  await rm(directory, { recursive: true, force: true });
});

function start(program: string, ...args: string[]): ChildProcess {
  const child = spawn(process.execPath, [program, ...args, '--state-dir', directory], {
    stdio: ['ignore', 'pipe', process.env.AGENT_TEST_LOG ? 'inherit' : 'ignore'],
  });
  children.push(child);
  return child;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  return new Promise((resolve) => {
    child.once('exit', resolve);
    child.kill(signal);
  });
}

const isOnline = (deviceId: string): boolean =>
  gateway.statuses.findLast((item) => item.deviceId === deviceId)?.status.state === 'online';

describe('the agent as a program', () => {
  test('one command enrolls and runs; a second start keeps the identity; SIGTERM disconnects cleanly', async () => {
    const first = start(
      agentMain,
      'run',
      '--server',
      enrollment.url,
      '--claim',
      CLAIM,
      '--serial',
      'CLI-0001',
    );
    const { deviceId, request } = await gateway.until(() => enrollment.enrolled[0]);
    expect(request).toMatchObject({ serialNumber: 'CLI-0001', agentVersion: AGENT_VERSION });
    await gateway.until(() => isOnline(deviceId));
    await gateway.until(() => gateway.entries(deviceId).some((entry) => entry.kind === 'software'));
    expect(gateway.entries(deviceId).find((entry) => entry.kind === 'inventory')).toMatchObject({
      serialNumber: 'CLI-0001',
    });
    expect((await stat(join(directory, 'identity.json'))).mode & 0o777).toBe(0o600);
    expect(await end(first, 'SIGTERM')).toBe(0);
    const last = gateway.statuses.findLast((item) => item.deviceId === deviceId);
    expect(last?.status).toMatchObject({ state: 'offline', reason: 'shutdown' });
    start(agentMain, 'run');
    await gateway.until(() => isOnline(deviceId));
    expect(enrollment.enrolled).toHaveLength(1);
  });

  test('an invalid claim ends with the reason from the server', async () => {
    const refused = run(process.execPath, [
      agentMain,
      'run',
      '--server',
      enrollment.url,
      '--claim',
      'wrong',
      '--state-dir',
      directory,
    ]);
    await expect(refused).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the claim token is unknown') as string,
    });
  });

  test('rejects a second agent on the same directory', async () => {
    start(agentMain, 'run', '--server', enrollment.url, '--claim', CLAIM);
    const { deviceId } = await gateway.until(() => enrollment.enrolled[0]);
    await gateway.until(() => isOnline(deviceId));
    const second = run(process.execPath, [agentMain, 'run', '--state-dir', directory]);
    await expect(second).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('another agent is using') as string,
    });
  });

  test('the bundle is a single file that runs on its own', async () => {
    const bundle = await buildBundle(join(directory, 'agent.mjs'));
    const { stdout } = await run(
      process.execPath,
      [bundle, 'status', '--json', '--state-dir', directory],
      { cwd: directory },
    );
    expect(JSON.parse(stdout)).toMatchObject({
      enrolled: false,
      running: false,
      agentVersion: AGENT_VERSION,
    });
  });

  test('a command can request a restart of the agent, and its result is reported', async () => {
    start(agentMain, 'run', '--server', enrollment.url, '--claim', CLAIM);
    const { deviceId } = await gateway.until(() => enrollment.enrolled[0]);
    await gateway.until(() => isOnline(deviceId));
    const command = shellCommand(`echo '{"restart":"agent"}' > "$DEVICEPORTAL_REPORT"`);
    gateway.send(deviceId, 'command', command);
    const result = await gateway.until(() =>
      resultOf(gateway.entries(deviceId), command.invocationId),
    );
    expect(result.state).toBe('Success');
    await gateway.until(() => {
      const mine = gateway.statuses.filter((item) => item.deviceId === deviceId);
      return mine.some(({ status }) => status.reason === 'upgrade') && isOnline(deviceId);
    });
  });
});

describe('the installation script', () => {
  test('one line of shell downloads the agent, enrolls, and runs it', async () => {
    const { releaseKey } = enrollment;
    const built = await readFile(await buildBundle(join(directory, 'agent.mjs')));
    const bundle = await released(built, AGENT_VERSION, releaseKey);
    const template = await readFile(join(import.meta.dirname, '../install.sh.template'), 'utf8');
    enrollment.files.set('/agent/agent.mjs', bundle);
    const script = join(directory, 'install.sh');
    await writeFile(script, template.replaceAll('@SERVER_URL@', enrollment.url));
    const home = join(directory, 'home');
    const child = spawn(
      'sh',
      [
        ...[script, '--claim', CLAIM, '--key', releaseKey.keyId],
        ...['--serial', 'SH-0001', '--state-dir', home],
      ],
      {
        stdio: 'ignore',
        env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH ?? ''}` },
      },
    );
    children.push(child);
    const { deviceId, request } = await gateway.until(() => enrollment.enrolled[0]);
    expect(request.serialNumber).toBe('SH-0001');
    await gateway.until(() => isOnline(deviceId));
    const without = run('sh', [script]);
    await expect(without).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('use --claim') as string,
    });
  });
});

describe('the fleet as a program', () => {
  const fleetArgs = () => [
    '--server',
    enrollment.url,
    '--claim',
    CLAIM,
    '--size',
    '20',
    '--no-rhythm',
    '--no-faults',
  ];

  async function startFleet(...more: string[]): Promise<ChildProcess> {
    const child = start(fleetMain, ...fleetArgs(), ...more);
    let said = '';
    child.stdout?.on('data', (part: Buffer) => {
      said += part.toString();
    });
    await gateway.until(() => said.includes('"state":"ready"'), 15_000);
    return child;
  }

  test('after kill -9, a running command ends as Failed, and a finished one with its result', async () => {
    const first = await startFleet();
    expect(enrollment.enrolled).toHaveLength(20);
    const deviceId = enrollment.enrolled[3]?.deviceId ?? '';
    await gateway.until(() => gateway.entries(deviceId).some((entry) => entry.kind === 'software'));
    const running = shellCommand('echo begun; sleep 3000');
    gateway.send(deviceId, 'command', running);
    await gateway.until(
      () => outputOf(gateway.entries(deviceId), running.invocationId) === 'begun\n',
    );
    gateway.acknowledging = false;
    const finished = shellCommand('echo kept');
    gateway.send(deviceId, 'command', finished);
    await gateway.until(() =>
      gateway.received.some(({ entries }) =>
        entries.some(
          (entry) =>
            entry.kind === 'invocation-result' && entry.invocationId === finished.invocationId,
        ),
      ),
    );
    await end(first, 'SIGKILL');
    gateway.acknowledging = true;
    await startFleet();
    expect(enrollment.enrolled).toHaveLength(20);
    const result = (id: string) => gateway.until(() => resultOf(gateway.entries(deviceId), id));
    expect(await result(finished.invocationId)).toMatchObject({ state: 'Success' });
    expect(await result(running.invocationId)).toMatchObject({ state: 'Failed', responseCode: -1 });
    expect(outputOf(gateway.entries(deviceId), running.invocationId, 'stderr')).toContain(
      'agent restarted',
    );
  });
});
