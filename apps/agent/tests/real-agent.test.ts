import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { writeIdentity, type Identity } from '../src/store/identity-file.ts';
import {
  outputOf,
  resultOf,
  shellCommand,
  startTestGateway,
  type TestGateway,
} from './support/test-gateway.ts';

let gateway: TestGateway;
let directory: string;
let identity: Identity;
let agent: ChildProcess | undefined;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway[Symbol.asyncDispose]());

async function prepare(): Promise<void> {
  directory = await mkdtemp(join(tmpdir(), 'agent-'));
  identity = await gateway.createIdentity();
  await writeIdentity(directory, identity);
}

async function remove(): Promise<void> {
  await kill();
  await rm(directory, { recursive: true, force: true });
}

async function startProcess(): Promise<void> {
  const before = online();
  agent = spawn(
    process.execPath,
    [join(import.meta.dirname, 'support/agent-process.ts'), directory],
    { stdio: ['ignore', 'ignore', process.env.AGENT_TEST_LOG ? 'inherit' : 'ignore'] },
  );
  await gateway.until(() => online() > before);
}

async function kill(): Promise<void> {
  const child = agent;
  agent = undefined;
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  await new Promise((resolve) => {
    child.once('exit', resolve);
    child.kill('SIGKILL');
  });
}

const online = (): number =>
  gateway.statuses.filter(
    ({ deviceId, status }) => deviceId === identity.deviceId && status.state === 'online',
  ).length;
const entries = () => gateway.entries(identity.deviceId);
const send = (command: { invocationId: string }): string => {
  gateway.send(identity.deviceId, 'command', command);
  return command.invocationId;
};
const result = (id: string) => gateway.until(() => resultOf(entries(), id), 15_000);
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** One agent for all, which runs them side by side. */
describe.concurrent('commands on a real machine', () => {
  beforeAll(async () => {
    await prepare();
    await startProcess();
  });
  afterAll(remove);

  test('a script reports output of both streams, its exit code, and its steps', async () => {
    const id = send(shellCommand('echo hello; echo "Grüße 😀" >&2; exit 3'));
    expect(await result(id)).toMatchObject({ state: 'Failed', responseCode: 3 });
    expect(outputOf(entries(), id)).toBe('hello\n');
    expect(outputOf(entries(), id, 'stderr')).toBe('Grüße 😀\n');
    const step = entries().findLast(
      (entry) => entry.kind === 'invocation-step' && entry.invocationId === id,
    );
    expect(step).toMatchObject({ state: 'Failed', exitCode: 3, name: 'run' });
  });

  test('output arrives while the script runs', async () => {
    const marker = join(directory, 'second');
    const wait = `until [ -e ${marker} ]; do sleep 0.1; done`;
    const id = send(shellCommand(`echo first; ${wait}; echo second`));
    await gateway.until(() => outputOf(entries(), id) === 'first\n');
    expect(resultOf(entries(), id)).toBeUndefined();
    await writeFile(marker, '');
    expect(await result(id)).toMatchObject({ state: 'Success', responseCode: 0 });
    expect(outputOf(entries(), id)).toBe('first\nsecond\n');
  });

  test('a command delivered twice runs once', async () => {
    const marker = join(directory, 'twice');
    const command = shellCommand(`echo x >> ${marker}; sleep 0.2`);
    send(command);
    send(command);
    await result(command.invocationId);
    send(command);
    const other = send(shellCommand('true'));
    await result(other);
    expect(await readFile(marker, 'utf8')).toBe('x\n');
  });

  test('canceling ends the whole process group', async () => {
    const id = send(shellCommand('sleep 300 & echo $!; wait'));
    const pid = Number(await gateway.until(() => outputOf(entries(), id) || undefined));
    expect(isAlive(pid)).toBe(true);
    gateway.send(identity.deviceId, 'cancel', { invocationId: id });
    expect(await result(id)).toMatchObject({ state: 'Cancelled', statusDetails: 'Cancelled' });
    await gateway.until(() => !isAlive(pid));
  });

  test('a script that ignores SIGTERM is killed 5 s later', async () => {
    const id = send(shellCommand("trap '' TERM; echo $$; while :; do sleep 0.2; done"));
    const pid = Number(await gateway.until(() => outputOf(entries(), id) || undefined));
    const cancelledMs = Date.now();
    gateway.send(identity.deviceId, 'cancel', { invocationId: id });
    expect(await result(id)).toMatchObject({ state: 'Cancelled' });
    expect(Date.now() - cancelledMs).toBeGreaterThan(4_500);
    await gateway.until(() => !isAlive(pid));
  });

  test('a step timeout and the execution timeout both end as TimedOut', async () => {
    const inputs = { runCommand: ['sleep 300'], timeoutSeconds: '1' };
    const step = send(shellCommand([{ action: 'aws:runShellScript', name: 'slow', inputs }]));
    const whole = send(shellCommand('sleep 300', { executionTimeoutSeconds: 1 }));
    const timedOut = { state: 'TimedOut', statusDetails: 'Execution Timed Out' };
    expect(await result(step)).toMatchObject(timedOut);
    expect(await result(whole)).toMatchObject(timedOut);
  });

  test(
    'a changing command waits for earlier changes of others until they end or are canceled; a read-only one does not',
    { concurrent: false },
    async () => {
      const marker = join(directory, 'change');
      const slow = shellCommand(`until [ -e ${marker} ]; do sleep 0.1; done`, { holder: 'ana' });
      const first = send(slow);
      const theirs = send(shellCommand('echo theirs', { holder: 'ben' }));
      const gone = send(shellCommand('echo gone', { holder: 'cho' }));
      const own = send(shellCommand('echo own', { holder: 'cho' }));
      const reads = send(shellCommand('echo reads'));
      gateway.send(identity.deviceId, 'cancel', { invocationId: gone });
      expect(await result(gone)).toMatchObject({ state: 'Cancelled' });
      expect(await result(reads)).toMatchObject({ state: 'Success' });
      expect(outputOf(entries(), theirs)).toBe('');
      const beside = send(shellCommand('echo beside', { holder: null }));
      expect(await result(beside)).toMatchObject({ state: 'Success' });
      await writeFile(marker, '');
      expect(await result(first)).toMatchObject({ state: 'Success' });
      expect(await result(theirs)).toMatchObject({ state: 'Success' });
      expect(await result(own)).toMatchObject({ state: 'Success' });
      const begun = entries().flatMap((entry) =>
        entry.kind === 'invocation-started' || entry.kind === 'invocation-result'
          ? [`${entry.kind} ${entry.invocationId}`]
          : [],
      );
      const at = (kind: string, id: string): number => begun.indexOf(`invocation-${kind} ${id}`);
      expect(at('result', first)).toBeLessThan(at('started', theirs));
      expect(at('result', theirs)).toBeLessThan(at('started', own));
    },
  );

  test(
    'a changing command that did not start in time no longer blocks others',
    { concurrent: false },
    async () => {
      const marker = join(directory, 'go');
      const wait = `until [ -e ${marker} ]; do sleep 0.1; done`;
      const first = send(shellCommand(wait, { holder: 'ana' }));
      const deliverBefore = new Date(Date.now() + 2_000).toISOString();
      const late = send(shellCommand('echo late', { holder: 'ben', deliverBefore }));
      const own = send(shellCommand('echo own', { holder: 'ana' }));
      expect(await result(own)).toMatchObject({ state: 'Success' });
      await writeFile(marker, '');
      expect(await result(first)).toMatchObject({ state: 'Success' });
      expect(outputOf(entries(), late)).toBe('');
    },
  );

  test('an expired command is rejected and never starts', async () => {
    const marker = join(directory, 'expired');
    const deliverBefore = new Date(Date.now() - 1_000).toISOString();
    const id = send(shellCommand(`touch ${marker}`, { deliverBefore }));
    await gateway.until(() =>
      entries().some((entry) => entry.kind === 'event' && entry.data.invocationId === id),
    );
    await expect(readFile(marker)).rejects.toThrow('ENOENT');
  });

  test('[agent-8] parameters reach the script quoted in the environment, and invalid ones are rejected', async () => {
    const content = {
      schemaVersion: '2.2',
      parameters: {
        name: { type: 'String', allowedPattern: '^[^;]*$' },
        many: { type: 'StringList', default: [] },
      },
      mainSteps: [
        {
          action: 'aws:runShellScript',
          name: 'run',
          inputs: { runCommand: ['printf "%s|%s" "$SSM_name" "$SSM_many"'] },
        },
      ],
    };
    const parameters = { name: '$(id) "x"', many: ['a b', 'c'] };
    const good = send(shellCommand('', { content, parameters }));
    const bad = send(shellCommand('', { content, parameters: { name: 'a;b' } }));
    await result(good);
    expect(outputOf(entries(), good)).toBe('$(id) "x"|a b\nc');
    expect(await result(bad)).toMatchObject({ state: 'Failed', responseCode: -1 });
    expect(outputOf(entries(), bad, 'stderr')).toContain('must match');
  });

  test('a collected file is uploaded completely and recorded in the journal', async () => {
    const uploads: { url: string; body: string }[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (part: Buffer) => {
        body += part.toString();
      });
      request.on('end', () => {
        uploads.push({ url: request.url ?? '', body });
        response.end();
      });
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    const artefactUploadUrl = `http://127.0.0.1:${port}/upload?token=t`;
    const script = `printf data > "$DEVICEPORTAL_ARTEFACTS/a b.log"; echo '{"position":{"latitude":1,"longitude":2,"accuracyMeters":5}}' > "$DEVICEPORTAL_REPORT"`;
    const id = send(shellCommand(script, { artefactUploadUrl }));
    expect(await result(id)).toMatchObject({ state: 'Success' });
    expect(uploads).toEqual([{ url: '/upload?token=t&name=a+b.log', body: 'data' }]);
    const artifact = entries().find((entry) => entry.kind === 'invocation-artefact');
    expect(artifact).toMatchObject({ name: 'a b.log', bytes: 4 });
    expect(entries().find((entry) => entry.kind === 'position')).toMatchObject({ latitude: 1 });
    server.close();
  });

  test('canceling an unknown command is confirmed, and the command never starts', async () => {
    const command = shellCommand('echo never', { invocationId: randomUUID() });
    gateway.send(identity.deviceId, 'cancel', { invocationId: command.invocationId });
    expect(await result(command.invocationId)).toMatchObject({ state: 'Cancelled' });
    send(command);
    await result(send(shellCommand('true')));
    expect(outputOf(entries(), command.invocationId)).toBe('');
  });
});

describe('kill -9 in the middle', () => {
  beforeEach(prepare);
  afterEach(remove);

  test('a running script survives the agent and is reported by the next one, once and completely', async () => {
    await startProcess();
    const script = 'for i in 1 2 3 4 5 6 7 8; do echo line $i; sleep 0.4; done; exit 7';
    const id = send(shellCommand(script));
    await gateway.until(() => outputOf(entries(), id).includes('line 2'));
    await kill();
    await startProcess();
    expect(await result(id)).toMatchObject({ state: 'Failed', responseCode: 7 });
    expect(outputOf(entries(), id)).toBe(
      [1, 2, 3, 4, 5, 6, 7, 8].map((i) => `line ${i}\n`).join(''),
    );
  });

  test('a script that ended while no agent ran is reported with its real exit code, and later steps run', async () => {
    await startProcess();
    const steps = ['echo a; sleep 0.8; echo b', 'echo c'].map((line, index) => ({
      action: 'aws:runShellScript',
      name: `step${index}`,
      inputs: { runCommand: [line] },
    }));
    const id = send(shellCommand(steps));
    await gateway.until(() => outputOf(entries(), id) === 'a\n');
    await kill();
    await new Promise((resolve) => {
      setTimeout(resolve, 1_500);
    });
    await startProcess();
    expect(await result(id)).toMatchObject({ state: 'Success', responseCode: 0 });
    expect(outputOf(entries(), id)).toBe('a\nb\nc\n');
  });

  test('a script that is killed with the agent ends as Failed with the reason', async () => {
    await startProcess();
    const id = send(shellCommand('echo $PPID; sleep 300'));
    const wrapper = Number(await gateway.until(() => outputOf(entries(), id) || undefined));
    await kill();
    process.kill(-wrapper, 'SIGKILL');
    await startProcess();
    expect(await result(id)).toMatchObject({ state: 'Failed', responseCode: -1 });
    const step = entries().findLast((entry) => entry.kind === 'invocation-step');
    expect(step).toMatchObject({ reason: 'agent restarted during the command' });
  });

  test('[agent-23] a result that the server has not acknowledged is sent again by the next agent process', async () => {
    await startProcess();
    gateway.acknowledging = false;
    const id = send(shellCommand('echo kept'));
    await gateway.until(() =>
      gateway.received.some((message) =>
        message.entries.some(
          (entry) => entry.kind === 'invocation-result' && entry.invocationId === id,
        ),
      ),
    );
    await kill();
    gateway.acknowledging = true;
    await startProcess();
    expect(await result(id)).toMatchObject({ state: 'Success' });
    expect(outputOf(entries(), id)).toBe('kept\n');
  });

  test('a command that was canceled before the kill is ended by the next agent process', async () => {
    await startProcess();
    const id = send(shellCommand("trap '' TERM; echo $$; while :; do sleep 0.2; done"));
    const pid = Number(await gateway.until(() => outputOf(entries(), id) || undefined));
    gateway.send(identity.deviceId, 'cancel', { invocationId: id });
    await result(send(shellCommand('true')));
    await kill();
    await startProcess();
    expect(await result(id)).toMatchObject({ state: 'Cancelled' });
    await gateway.until(() => !isAlive(pid));
  });

  test('an installation that is killed with the agent is completed by the next agent process', async () => {
    const tree = join(directory, 'tree');
    await mkdir(tree);
    // The first execution kills the agent; the second one finds the mark.
    const script = `[ -e ${directory}/mark ] && exit 0; touch ${directory}/mark; kill -9 $PPID`;
    await writeFile(join(tree, 'install.sh'), script);
    const archive = join(directory, 'tool.tar');
    await promisify(execFile)('tar', ['-cf', archive, '-C', tree, '.']);
    const content = await readFile(archive);
    const server = createServer((_request, response) => response.end(content));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    await startProcess();
    const exited = new Promise((resolve) => agent?.once('exit', resolve));
    const inputs = {
      name: 'tool',
      action: 'Install',
      version: '1.0',
      source: `http://127.0.0.1:${port}/tool.tar`,
      sha256: createHash('sha256').update(content).digest('hex'),
    };
    const id = send(shellCommand([{ action: 'aws:configurePackage', name: 'install', inputs }]));
    await exited;
    await startProcess();
    expect(await result(id)).toMatchObject({ state: 'Success', responseCode: 0 });
    expect(await readlink(join(directory, 'packages/tool/current'))).toBe('1.0');
    server.close();
  });
});

describe('connection', () => {
  beforeEach(prepare);
  afterEach(remove);

  test('a lost connection is reported by its will, and the next one has another ID', async () => {
    await startProcess();
    const [first] = gateway.statuses.filter((item) => item.deviceId === identity.deviceId);
    const before = online();
    gateway.dropConnections();
    await gateway.until(() => online() > before);
    const mine = gateway.statuses.filter((item) => item.deviceId === identity.deviceId);
    const will = mine.find(({ status }) => status.reason === 'connection-lost');
    expect(will?.status.connectionId).toBe(first?.status.connectionId);
    expect(mine.at(-1)?.status.connectionId).not.toBe(first?.status.connectionId);
  });

  test('[agent-31] a certificate past two thirds of its lifetime is renewed and used', async () => {
    const hourMs = 3_600_000;
    const life = { fromMs: Date.now() - 3 * hourMs, toMs: Date.now() + hourMs };
    identity = await gateway.createIdentity(undefined, life);
    await writeIdentity(directory, identity);
    await startProcess();
    await gateway.until(() =>
      entries().some((entry) => entry.kind === 'event' && entry.type === 'certificate-renewed'),
    );
    await gateway.until(() => online() >= 2);
    const stored = JSON.parse(await readFile(join(directory, 'identity.json'), 'utf8')) as Identity;
    expect(stored.certificate).not.toBe(identity.certificate);
    expect(stored.pendingPrivateKey).toBeNull();
  });

  test('a malformed message from the server changes nothing', async () => {
    await startProcess();
    gateway.send(identity.deviceId, 'command', 'nonsense');
    gateway.send(identity.deviceId, 'ack', { upTo: 'all' });
    const id = send(shellCommand('echo fine'));
    expect(await result(id)).toMatchObject({ state: 'Success' });
    expect(
      entries().some((entry) => entry.kind === 'event' && entry.type === 'command-refused'),
    ).toBe(true);
  });
});
