import { createHash } from 'node:crypto';
import { mkdtemp, readFile, readlink, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Agent } from '../src/core/agent.ts';
import { silentLogger } from '../src/logger.ts';
import { RealMachine } from '../src/machine/real-machine.ts';
import type { Identity } from '../src/store/identity-file.ts';
import { openAgentStore, type OpenedAgentStore } from '../src/store/open-agent-store.ts';
import {
  outputOf,
  resultOf,
  shellCommand,
  startTestGateway,
  type TestGateway,
} from './support/test-gateway.ts';

/** This machine, but without actually restarting it. */
class UnrestartedMachine extends RealMachine {
  restarts = 0;
  override reboot(): Promise<void> {
    this.restarts += 1;
    return Promise.resolve();
  }
}

let gateway: TestGateway;
let files: Server;
let fileUrl: string;
let directory: string;
let identity: Identity;
let opened: OpenedAgentStore;
let agent: Agent;
let machine: UnrestartedMachine;
const content = 'program text';

beforeAll(async () => {
  gateway = await startTestGateway();
  files = createServer((_, response) => response.end(content));
  await new Promise<void>((resolve) => {
    files.listen(0, '127.0.0.1', resolve);
  });
  fileUrl = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
});
afterAll(async () => {
  files.closeAllConnections();
  files.close();
  await gateway[Symbol.asyncDispose]();
});
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'machine-'));
  identity = await gateway.createIdentity();
  await startAgent();
});
afterEach(async () => {
  await stopAgent();
  await rm(directory, { recursive: true, force: true });
});

async function startAgent(): Promise<void> {
  machine = new UnrestartedMachine({ stateDirectory: directory, serialNumber: null });
  opened = await openAgentStore({ stateDirectory: directory });
  agent = new Agent({
    identity,
    saveIdentity: () => Promise.resolve(),
    store: opened.store,
    machine,
    log: silentLogger,
    onRestartWanted: () => {},
  });
  agent.start();
  await gateway.until(() => agent.isConnected);
}

async function stopAgent(): Promise<void> {
  await agent.stop();
  await opened[Symbol.asyncDispose]();
}

const entries = () => gateway.entries(identity.deviceId);
async function run(command: { invocationId: string }) {
  gateway.send(identity.deviceId, 'command', command);
  return gateway.until(() => resultOf(entries(), command.invocationId));
}

describe('restarts of the machine', () => {
  test('exit code 194 restarts the machine and then runs the step again', async () => {
    const command = shellCommand(
      'if [ -e ./seen ]; then echo back; exit 0; fi; touch ./seen; echo going; exit 194',
    );
    gateway.send(identity.deviceId, 'command', command);
    await gateway.until(() => machine.restarts === 1);
    expect(resultOf(entries(), command.invocationId)).toBeUndefined();
    await stopAgent();
    await startAgent();
    const result = await gateway.until(() => resultOf(entries(), command.invocationId));
    expect(result).toMatchObject({ state: 'Success', responseCode: 0 });
    expect(outputOf(entries(), command.invocationId)).toBe('going\nback\n');
  });
});

describe('files and packages', () => {
  const sha256 = createHash('sha256').update(content).digest('hex');
  const download = (hash: string) =>
    shellCommand([
      {
        action: 'aws:downloadContent',
        name: 'fetch',
        onFailure: 'exit',
        inputs: {
          sourceType: 'HTTP',
          sourceInfo: JSON.stringify({ url: `${fileUrl}/tool` }),
          destinationPath: 'tool',
          sha256: hash,
        },
      },
      { action: 'aws:runShellScript', name: 'show', inputs: { runCommand: ['cat tool'] } },
    ]);

  test('a download with the correct hash is available to the next step', async () => {
    const command = download(sha256);
    expect(await run(command)).toMatchObject({ state: 'Success' });
    expect(outputOf(entries(), command.invocationId)).toContain(content);
  });

  test('a download with another hash is rejected and leaves no file', async () => {
    const command = download('0'.repeat(64));
    expect(await run(command)).toMatchObject({ state: 'Failed' });
    expect(outputOf(entries(), command.invocationId, 'stderr')).toContain(sha256);
    expect(outputOf(entries(), command.invocationId)).toBe('');
  });

  test('a package is installed next to the old version, switched, reported, and rolled back', async () => {
    const configure = (inputs: object) =>
      shellCommand([
        { action: 'aws:configurePackage', name: 'package', inputs: { name: 'tool', ...inputs } },
      ]);
    const current = () => readlink(join(directory, 'packages/tool/current'));
    for (const version of ['1.0.0', '1.1.0']) {
      const installed = await run(
        configure({ action: 'Install', version, source: `${fileUrl}/tool`, sha256 }),
      );
      expect(installed).toMatchObject({ state: 'Success' });
      expect(await current()).toBe(version);
    }
    expect(await readFile(join(directory, 'packages/tool/current/tool'), 'utf8')).toBe(content);
    const software = entries().findLast((entry) => entry.kind === 'software');
    expect(software?.components).toContainEqual({ component: 'tool', version: '1.1.0' });
    expect(await run(configure({ action: 'Rollback' }))).toMatchObject({ state: 'Success' });
    expect(await current()).toBe('1.0.0');
    // The name of a link next to the versions.
    const asLink = { version: 'current', source: `${fileUrl}/tool`, sha256 };
    expect(await run(configure({ action: 'Install', ...asLink }))).toMatchObject({
      state: 'Failed',
    });
    expect(await run(configure({ action: 'Install', version: '9.9.9' }))).toMatchObject({
      state: 'Failed',
      responseCode: 1,
    });
    expect(await current()).toBe('1.0.0');
  });

  test('a document from a file runs with its own parameters', async () => {
    const inner = {
      schemaVersion: '2.2',
      parameters: { word: { type: 'String' } },
      mainSteps: [
        {
          action: 'aws:runShellScript',
          name: 'say',
          inputs: { runCommand: ['echo {{ word }} $SSM_word; exit 6'] },
        },
      ],
    };
    const command = shellCommand([
      {
        action: 'aws:runShellScript',
        name: 'write',
        inputs: { runCommand: [`cat > inner.json <<'END'\n${JSON.stringify(inner)}\nEND`] },
      },
      {
        action: 'aws:runDocument',
        name: 'inner',
        inputs: {
          documentType: 'LocalPath',
          documentPath: 'inner.json',
          documentParameters: { word: 'hi' },
        },
      },
    ]);
    expect(await run(command)).toMatchObject({ state: 'Failed', responseCode: 6 });
    expect(outputOf(entries(), command.invocationId)).toBe('hi hi\n');
  });

  test('output beyond 10 MiB is truncated and marked, and the script continues', async () => {
    const command = shellCommand('head -c 12000000 /dev/zero | tr "\\0" x; exit 5');
    expect(await run(command)).toMatchObject({ responseCode: 5, outputTruncated: true });
    const text = outputOf(entries(), command.invocationId);
    expect(text.endsWith('\n[output beyond 10 MiB was cut]\n')).toBe(true);
    expect(text.length).toBeLessThan(10 * 1024 * 1024 + 100);
  });
});
