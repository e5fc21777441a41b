import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { beginEmbedded } from '../src/platform/database/embedded/begin-embedded.ts';
import { isPostgresProcess } from '../src/platform/database/postmaster-file.ts';
import { createLogger } from '../src/platform/logging.ts';
import { readConfig } from '../src/platform/config/read-config.ts';

let parentDir: string;
let dataDir: string;

beforeEach(async () => {
  parentDir = await mkdtemp(join(tmpdir(), 'dp-'));
  await chmod(parentDir, 0o755);
  dataDir = join(parentDir, 'data');
});

afterEach(() => rm(parentDir, { recursive: true, force: true }));

function begin(further: readonly string[] = []) {
  const argv = ['--data-dir', dataDir, ...further];
  const config = readConfig({ argv, env: {}, workingDir: parentDir });
  return beginEmbedded(config, createLogger(config));
}

test('a database that was not taken is stopped, and its size is recorded for the next start', async () => {
  const begun = await begin();
  await begun?.[Symbol.asyncDispose]();
  await expect(stat(join(dataDir, 'postgres', 'postmaster.pid'))).rejects.toThrow('ENOENT');
  expect(Number(await readFile(join(dataDir, 'postgres-size'), 'utf8'))).toBeGreaterThan(
    10_000_000,
  );
});

test('a database that was taken belongs to its taker, with buffers by its recorded size', async () => {
  await mkdir(dataDir);
  await writeFile(join(dataDir, 'postgres-size'), `${600 * 1_048_576}\n`);
  const begun = await begin();
  await using taken = await begun?.take();
  await begun?.[Symbol.asyncDispose]();
  expect(await isPostgresProcess(taken?.pid ?? 0)).toBe(true);
  const client = new pg.Client({ connectionString: taken?.url });
  await client.connect();
  const { rows } = await client.query(
    "select setting::int / 128 as mb from pg_settings where name = 'shared_buffers'",
  );
  await client.end();
  expect(rows[0].mb).toBeGreaterThan(512);
});

test('an error is thrown to the taker and not before', async () => {
  await mkdir(join(dataDir, 'postgres'), { recursive: true });
  await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '18\n');
  const begun = await begin();
  await expect(begun?.take()).rejects.toThrow('The embedded database cannot run here');
});

test('a database that has to be upgraded first is not begun', async () => {
  await mkdir(join(dataDir, 'postgres'), { recursive: true });
  await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '17\n');
  expect(await begin()).toBeUndefined();
  await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '18\n');
  await mkdir(join(dataDir, 'postgres-upgraded'));
  expect(await begin()).toBeUndefined();
});
