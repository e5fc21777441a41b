import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startEmbeddedPostgres } from '../src/platform/database/embedded-postgres.ts';
import { isPostgresProcess } from '../src/platform/database/postmaster-file.ts';

const ownerProgram = fileURLToPath(new URL('support/database/own-postgres.ts', import.meta.url));
let parentDir: string;
let dataDir: string;

beforeEach(async () => {
  parentDir = await mkdtemp(join(tmpdir(), 'dp-'));
  await chmod(parentDir, 0o755);
  dataDir = join(parentDir, 'data');
});

afterEach(() => rm(parentDir, { recursive: true, force: true }));

test('[database-1] a first start makes a cluster, a second start keeps its data', async () => {
  {
    await using server = await startEmbeddedPostgres({ dataDir });
    expect(server.adopted).toBe(false);
    await query(server.url, 'create table kept as select 42 as answer');
  }
  await using server = await startEmbeddedPostgres({ dataDir });
  expect(await query(server.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
});

test('[database-2] nothing runs and no socket is left after it is stopped', async () => {
  const server = await startEmbeddedPostgres({ dataDir });
  await server[Symbol.asyncDispose]();
  expect(await isPostgresProcess(server.pid)).toBe(false);
  await expect(stat(join(dataDir, 'postgres-socket'))).rejects.toThrow('ENOENT');
});

test('[database-3] only the account of the database may enter its socket folder', async () => {
  await using server = await startEmbeddedPostgres({ dataDir });
  const socketDir = new URL(server.url).searchParams.get('host') ?? '';
  expect((await stat(socketDir)).mode & 0o777).toBe(0o700);
});

test('[database-4] after kill -9 of its owner the running database is adopted', async () => {
  const owner = await startOwner();
  owner.child.kill('SIGKILL');
  await once(owner.child, 'exit');
  expect(await isPostgresProcess(owner.pid)).toBe(true);

  const server = await startEmbeddedPostgres({ dataDir });
  expect(server).toMatchObject({ adopted: true, pid: owner.pid });
  expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await server[Symbol.asyncDispose]();
  expect(await isPostgresProcess(owner.pid)).toBe(false);
});

test('[database-5] a second owner is refused with one line, and a guest is let in', async () => {
  await using owner = await startEmbeddedPostgres({ dataDir });
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(
    /Another server is using .*--data-dir/,
  );
  const guest = await startEmbeddedPostgres({ dataDir, exclusive: false });
  await guest[Symbol.asyncDispose]();
  expect(await isPostgresProcess(owner.pid)).toBe(true);
});

test('[database-6] kill -9 of a database that nobody owns loses no commit', async () => {
  const server = await startEmbeddedPostgres({ dataDir, exclusive: false });
  await query(server.url, 'create table kept as select 42 as answer');
  process.kill(server.pid, 'SIGKILL');
  await expect.poll(() => isPostgresProcess(server.pid)).toBe(false);
  await using again = await startEmbeddedPostgres({ dataDir });
  expect(await query(again.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
});

test('[database-7] a deep data folder gets a socket folder with a short path', async () => {
  const deep = join(dataDir, ...Array.from({ length: 12 }, () => 'a-long-folder-name'));
  await mkdir(deep, { recursive: true });
  await using server = await startEmbeddedPostgres({ dataDir: deep });
  expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('[database-8] a folder that no other user may enter works for root too', async () => {
  await chmod(parentDir, 0o700);
  await using server = await startEmbeddedPostgres({ dataDir });
  expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test.each([
  ['its socket is in the data folder', 'data'],
  ['the data folder is too deep for that', join('data', 'a-long-folder-name'.repeat(8))],
])(
  '[database-13] its owner starts a killed database again at the same address: %s',
  async (_, folder) => {
    const faults: unknown[] = [];
    const onFault = (error: unknown): void => void faults.push(error);
    const server = await startEmbeddedPostgres({ dataDir: join(parentDir, folder), onFault });
    await query(server.url, 'create table kept as select 42 as answer');
    const killed = server.pid;
    process.kill(killed, 'SIGKILL');
    await expect
      .poll(() => query(server.url, 'select answer from kept').catch(() => []), { timeout: 10_000 })
      .toEqual([{ answer: 42 }]);
    expect(faults.length).toBeGreaterThan(0);
    await expect.poll(() => server.pid).not.toBe(killed);
    await server[Symbol.asyncDispose]();
    expect(await isPostgresProcess(server.pid)).toBe(false);
  },
);

async function startOwner() {
  const child = spawn(process.execPath, [ownerProgram, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, pid: Number(line.toString()) };
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(text);
    return rows;
  } finally {
    await client.end();
  }
}
