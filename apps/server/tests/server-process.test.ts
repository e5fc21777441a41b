import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from './support/database/create-test-database.ts';
import { programEnv } from './support/programs/program-env.ts';
import { commandFile, serverFile } from './support/programs/program-files.ts';

const admin = commandFile('admin');
const ADDRESS = /ready after ([\d.]+) s: (http:\/\/localhost:\d+)/;
let testDatabase: TestDatabase;
let dataDir: string;
const running = new Set<ChildProcess>();

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  // One installation: its key opens what it keeps in the database.
  dataDir = await mkdtemp(join(tmpdir(), 'dp-server-'));
});
afterEach(async () => {
  for (const child of running) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});
afterAll(async () => {
  await testDatabase[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

function launch(
  argv: readonly string[],
  env: Record<string, string> = {},
  folder: string = dataDir,
  program: string = serverFile,
) {
  const child = spawn(process.execPath, [program, ...argv, '--data-dir', folder], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...programEnv, DEVICEPORTAL_DATABASE_URL: testDatabase.url, ...env },
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

async function startServer() {
  const child = launch(['--port', '0', '--mqtt-port', '0', '--fleet', '0', '--no-agent']);
  let output = '';
  child.stderr.on('data', (chunk) => (output += String(chunk)));
  for await (const chunk of child.stdout) {
    output += String(chunk);
    const address = ADDRESS.exec(output)?.[2];
    if (address !== undefined) return { child, address, readOutput: () => output };
  }
  throw new Error(`the server did not start: ${output}`);
}

test('[start-1] the server says where it is, is ready there, and stops on SIGTERM with code 0', async () => {
  const { child, address } = await startServer();
  expect((await fetch(`${address}/readyz`)).status).toBe(200);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('[start-2] a signal that arrives twice at once, as Ctrl-C does under npm, still drains', async () => {
  const { child } = await startServer();
  child.kill('SIGINT');
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test.each([
  [['--prot', '1'], {}, /^Unknown option --prot\..*\n$/],
  [
    [],
    { DEVICEPORTAL_DATABASE_URL: 'postgres://127.0.0.1:1/none' },
    /^Cannot connect to DEVICEPORTAL_DATABASE_URL: .*\n$/,
  ],
  [
    ['--port', '0', '--public-url', 'http://elsewhere'],
    {},
    /^--public-url \(DEVICEPORTAL_PUBLIC_URL\) is http:\/\/elsewhere, but .*\n$/,
  ],
])('[start-3] %j %j stops the start with one line', async (argv, env, line) => {
  const child = launch(argv, env as Record<string, string>);
  const [message, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect(message).toMatch(line);
  expect(code).toBe(1);
});

test('[start-4] without the installation key the keys in its database open nothing, and nothing is changed', async () => {
  const stranger = await mkdtemp(join(tmpdir(), 'dp-stranger-'));
  try {
    // As if the folder of files were mounted.
    await cp(join(dataDir, 'files-id'), join(stranger, 'files-id'));
    const child = launch(['--port', '0', '--mqtt-port', '0'], {}, stranger);
    const [message, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect(message).toMatch(/^\S+installation\.key is missing, but this database belongs to .*\n$/);
    expect(code).toBe(1);
  } finally {
    await rm(stranger, { recursive: true, force: true });
  }
  const { child } = await startServer();
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('[admin-keys-1] rotate-keys publishes new keys beside a running server, and says so; a second time it changes nothing', async () => {
  const { child } = await startServer();
  const rotate = async () => {
    const command = launch(['rotate-keys'], {}, dataDir, admin);
    const [line, [code]] = await Promise.all([text(command.stdout), once(command, 'exit')]);
    expect(code).toBe(0);
    return line;
  };
  expect(await rotate()).toMatch(
    /^New signing keys are published\. They sign tokens from 2\d{3}-.*\n$/,
  );
  expect(await rotate()).toMatch(/already published and pending\. Nothing was changed\.\n$/);
  child.kill('SIGTERM');
  await once(child, 'exit');
  const again = await startServer();
  const keySet = await fetch(
    `${again.address}/identity/us-east-1_DevicePortal/.well-known/jwks.json`,
  );
  expect(keySet.headers.get('cache-control')).toBe('public, max-age=300');
  expect(((await keySet.json()) as { keys: unknown[] }).keys).toHaveLength(4);
  const provider = await fetch(`${again.address}/idp/oidc/.well-known/jwks.json`);
  expect(((await provider.json()) as { keys: unknown[] }).keys).toHaveLength(2);
}, 120_000);
