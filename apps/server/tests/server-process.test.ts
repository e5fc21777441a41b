import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from './support/create-test-database.ts';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const ADDRESS = /ready after ([\d.]+) s: (http:\/\/localhost:\d+)/;
let testDatabase: TestDatabase;
let dataDir: string;
const running = new Set<ChildProcess>();

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'dp-server-'));
});
afterEach(async () => {
  for (const child of running) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await rm(dataDir, { recursive: true, force: true });
});
afterAll(() => testDatabase[Symbol.asyncDispose]());

function launch(argv: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [main, '--data-dir', dataDir, ...argv], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], DEVICEPORTAL_DATABASE_URL: testDatabase.url, ...env },
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
  [[], { DEVICEPORTAL_FLEET: 'many' }, /^--fleet \(DEVICEPORTAL_FLEET\) must be an integer.*\n$/],
  [
    [],
    { DEVICEPORTAL_DATABASE_URL: 'postgres://127.0.0.1:1/none' },
    /^DEVICEPORTAL_DATABASE_URL cannot be reached: .*\n$/,
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
