import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { DamagedBackup } from '../refused-backup.ts';

/**
 * Not copied: what PostgreSQL creates again at its start, as `pg_basebackup` omits it (PostgreSQL documentation, "Low-Level
 * Base Backups"). Empty folders are kept.
 */
const LEFT_OUT_FOLDERS = new Set([
  ...['pg_wal', 'pg_wal/archive_status', 'pg_wal/summaries', 'pg_replslot', 'pg_dynshmem'],
  ...['pg_notify', 'pg_serial', 'pg_snapshots', 'pg_stat_tmp', 'pg_subtrans'],
]);
const LEFT_OUT_FILES =
  /^(postmaster\.(pid|opts)|backup_label|tablespace_map|(.*\/)?(pgsql_tmp.*|pg_internal\.init.*))$/;
/** Copied last and in one read. */
const CONTROL_FILE = 'global/pg_control';
const PIECE_BYTES = 1024 * 1024;

const headSchema = z.union([
  z.object({ folder: z.string().regex(/^(?!.*\.\.)[\w./-]+$/) }),
  z.object({ file: z.string().regex(/^(?!.*\.\.)[\w./-]+$/), bytes: z.int().nonnegative() }),
  z.object({ end: z.literal(true) }),
]);
type Head = z.infer<typeof headSchema>;

/**
 * Copies the files of a running cluster between `pg_backup_start` and `pg_backup_stop`. Before each file, a line of JSON
 * has its path and size. Pages that change during the copy are repaired from the write-ahead log.
 */
export async function* copyCluster(clusterDir: string): AsyncGenerator<Buffer> {
  const entries = await readdir(clusterDir, { recursive: true, withFileTypes: true });
  const pathOf = (entry: (typeof entries)[number]): string =>
    relative(clusterDir, join(entry.parentPath, entry.name)).split(sep).join('/');
  const isKept = (path: string): boolean =>
    !LEFT_OUT_FILES.test(path) && !LEFT_OUT_FOLDERS.has(dirname(path));
  for (const entry of entries.filter((each) => each.isDirectory())) {
    const path = pathOf(entry);
    if (isKept(path) || LEFT_OUT_FOLDERS.has(path)) yield lineOf({ folder: path });
  }
  const files = entries.filter((each) => each.isFile()).map(pathOf);
  for (const path of [...files.filter((each) => each !== CONTROL_FILE), CONTROL_FILE]) {
    if (isKept(path)) yield* copyFile(join(clusterDir, path), path);
  }
  yield lineOf({ end: true });
}

/** A file that was deleted since it was listed is omitted; one that was shortened is filled with zeros. */
async function* copyFile(from: string, path: string): AsyncGenerator<Buffer> {
  const file = await open(from).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (file === undefined) return;
  try {
    const { size } = await file.stat();
    yield lineOf({ file: path, bytes: size });
    for (let at = 0; at < size;) {
      const piece = Buffer.alloc(Math.min(PIECE_BYTES, size - at));
      const { bytesRead } = await file.read(piece, 0, piece.length, at);
      if (bytesRead < piece.length) piece.fill(0, bytesRead);
      yield piece;
      at += piece.length;
    }
  } finally {
    await file.close();
  }
}

const lineOf = (head: Head): Buffer => Buffer.from(`${JSON.stringify(head)}\n`);

/**
 * Writes a copied cluster into an empty folder.
 * @throws DamagedBackup if the copy is incomplete
 */
export async function unpackCluster(
  source: AsyncIterable<Buffer>,
  clusterDir: string,
): Promise<void> {
  const reader = new CopyReader(source);
  for (;;) {
    const head = headSchema.safeParse(JSON.parse(await reader.line()));
    if (!head.success) throw new DamagedBackup('is truncated or damaged');
    if ('end' in head.data) break;
    if ('folder' in head.data) {
      await mkdir(join(clusterDir, head.data.folder), { recursive: true, mode: 0o700 });
      continue;
    }
    const target = join(clusterDir, head.data.file);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await pipeline(
      Readable.from(reader.bytes(head.data.bytes)),
      createWriteStream(target, { mode: 0o600 }),
    );
  }
  // To its end, so that its digest is known.
  await reader.drain();
}

class CopyReader {
  readonly #pieces: AsyncIterator<Buffer>;
  #held = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#pieces = source[Symbol.asyncIterator]();
  }

  async line(): Promise<string> {
    for (;;) {
      const end = this.#held.indexOf(0x0a);
      if (end !== -1) {
        const line = this.#held.toString('utf8', 0, end);
        this.#held = this.#held.subarray(end + 1);
        return line;
      }
      this.#held = Buffer.concat([this.#held, await this.#next()]);
    }
  }

  async *bytes(count: number): AsyncGenerator<Buffer> {
    for (let left = count; left > 0;) {
      if (this.#held.length === 0) this.#held = await this.#next();
      const piece = this.#held.subarray(0, left);
      this.#held = this.#held.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }

  async drain(): Promise<void> {
    while ((await this.#pieces.next()).done !== true);
  }

  async #next(): Promise<Buffer<ArrayBuffer>> {
    const { value, done } = await this.#pieces.next();
    if (done === true) throw new DamagedBackup('is truncated or damaged');
    return value as Buffer<ArrayBuffer>;
  }
}
