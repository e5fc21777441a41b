import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repeat } from '../../process/repeat.ts';

const RECORD_EVERY_MS = 3_600_000;

const fileOf = (dataDir: string): string => join(dataDir, 'postgres-size');

/** Bytes of the tables and indexes of a cluster. */
export async function measureDataSize(clusterDir: string): Promise<number> {
  const base = join(clusterDir, 'base');
  let bytes = 0;
  for (const database of await readdir(base).catch(() => [])) {
    const folder = join(base, database);
    const sizes = (await readdir(folder)).map((name) =>
      // PostgreSQL deletes files of tables at any time.
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    );
    for (const size of await Promise.all(sizes)) bytes += size;
  }
  return bytes;
}

/** The recorded size: measuring reads thousands of files, which would delay a start. */
export async function readDataSize(dataDir: string, clusterDir: string): Promise<number> {
  const recorded = await readFile(fileOf(dataDir), 'utf8').catch(() => '');
  return /^\d+\n$/.test(recorded) ? Number(recorded) : measureDataSize(clusterDir);
}

/** For the next start. */
export async function recordDataSize(dataDir: string, clusterDir: string): Promise<void> {
  const draft = `${fileOf(dataDir)}.new`;
  await writeFile(draft, `${await measureDataSize(clusterDir)}\n`, { mode: 0o600 });
  await rename(draft, fileOf(dataDir));
}

/** Records the size every hour, for a start after a crash. Without a record, the next start measures. */
export const keepDataSize = (dataDir: string, clusterDir: string): AsyncDisposable =>
  repeat(() => recordDataSize(dataDir, clusterDir), {
    everyMs: RECORD_EVERY_MS,
    onError: () => {},
  });
