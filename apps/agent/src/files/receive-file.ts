import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { FILE_NAME_LIMIT_BYTES } from '@deviceportal/contract/device-files';
import type { WriteStatement } from '@deviceportal/device-protocol/file-statement';
import { splitPath, type FileGuard, type ReachedFile } from './file-guard.ts';
import { FileRefused, obstacleOf } from './file-refused.ts';
import { requireOk, withRetries, type TransferWays } from './transfer-ways.ts';

type Order = Pick<WriteStatement, 'request' | 'path' | 'bytes' | 'sha256' | 'overwrites' | 'url'>;

export interface ReceiveWays extends TransferWays {
  readonly guard: FileGuard;
  /** Whether an earlier process began it, and possibly ended it. */
  readonly isContinued: boolean;
  readonly onProgress: (bytes: number) => void;
}

/** Reserve for other data that the device writes. */
const RESERVE_BYTES = 32 * 1_024 * 1_024;
const NEW_FILE_MODE = 0o644;

/**
 * Fetches a file by the link of the request into a temporary file of the same folder, checks its
 * digest, flushes it to the disk, and only then gives it its name. An interrupted transfer resumes,
 * also in another process.
 */
export async function receiveFile(order: Order, ways: ReceiveWays): Promise<void> {
  const { folder: folderPath, name } = splitPath(order.path);
  if (!isFileName(name)) throw new FileRefused('name');
  await using folder = await ways.guard.reach(folderPath);
  const target = `${folder.link}/${name}`;
  const part = `${folder.link}/${partNameOf(order.request)}`;
  try {
    if (!folder.isFolder) throw new FileRefused('not-a-folder');
    if (!folder.isWritable) throw new FileRefused('read-only');
    const former = await fs.lstat(target).catch(unlessMissing);
    if (former?.isFile() === false && !former.isSymbolicLink()) throw new FileRefused('not-a-file');
    if (former !== undefined && !order.overwrites) {
      if (!ways.isContinued || !(await isWritten(target, order))) throw new FileRefused('exists');
      await fs.rm(part, { force: true });
      await syncFolder(folder);
      return;
    }
    await using file = await openPart(part, order.bytes);
    await requireRoom(folder, order.bytes - (await file.stat()).size);
    await fetchAll(file, order, ways);
    await keepOwner(file, former);
    await file.sync();
    await folder.requireInside();
    await giveName({ part, target, overwrites: order.overwrites });
    await syncFolder(folder);
  } catch (error) {
    // A lost connection or a stopping agent leaves the part, which the next attempt continues.
    if (!ways.signal.aborted && obstacleOf(error) !== 'transfer')
      await fs.rm(part, { force: true }).catch(() => {});
    throw error;
  }
}

/** Whether an agent that was killed then had given the file its name. */
async function isWritten(target: string, { bytes, sha256 }: Order): Promise<boolean> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  await using file = await fs.open(target, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  const found = await file.stat();
  return found.isFile() && found.size === bytes && (await digestOf(file)) === sha256;
}

/** Removes what an upload has left behind. */
export async function removePart(
  guard: FileGuard,
  { path, request }: Pick<Order, 'path' | 'request'>,
): Promise<void> {
  await using folder = await guard.reach(splitPath(path).folder);
  await fs.rm(`${folder.link}/${partNameOf(request)}`, { force: true });
}

const partNameOf = (request: string): string => `.deviceportal-${request}.part`;

const isFileName = (name: string): boolean =>
  name !== '' &&
  Buffer.byteLength(name) <= FILE_NAME_LIMIT_BYTES &&
  !/[\p{Cc}\u200E\u200F\u202A-\u202E\u2066-\u2069]/u.test(name);

/** The part of an earlier attempt, or a new one. A file that another user can write is not continued. */
async function openPart(path: string, bytes: number): Promise<FileHandle> {
  const { O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = constants;
  const former = await fs.lstat(path).catch(unlessMissing);
  if (former?.isFile()) {
    const file = await fs.open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK);
    const found = await file.stat();
    const isOwn = found.isFile() && found.uid === process.geteuid?.() && found.nlink === 1;
    if (isOwn && found.size <= bytes) return file;
    await file.close();
  }
  if (former !== undefined) await fs.rm(path, { force: true });
  return fs.open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
}

async function requireRoom({ link }: ReachedFile, bytes: number): Promise<void> {
  const { bavail, bsize } = await fs.statfs(link);
  if (bavail * bsize < bytes + RESERVE_BYTES) throw new FileRefused('no-space');
}

/** Until the file has the digest. A part that belongs to other content is fetched once more from its beginning. */
async function fetchAll(file: FileHandle, order: Order, ways: ReceiveWays): Promise<void> {
  const hadPart = (await file.stat()).size > 0;
  await fetchRest(file, order, ways);
  if ((await digestOf(file)) === order.sha256) return;
  if (!hadPart) throw new FileRefused('digest');
  await file.truncate(0);
  await fetchRest(file, order, ways);
  if ((await digestOf(file)) !== order.sha256) throw new FileRefused('digest');
}

async function fetchRest(file: FileHandle, order: Order, ways: ReceiveWays): Promise<void> {
  const { bytes, url } = order;
  const { fetch: send, serverUrl, signal, onProgress } = ways;
  let had = (await file.stat()).size;
  await withRetries(
    ways,
    () => had,
    async () => {
      if (had >= bytes) return;
      const headers = { range: `bytes=${had}-`, 'accept-encoding': 'identity' };
      const response = await send(new URL(url, serverUrl()), { headers, signal });
      await requireOk(response);
      if (response.status !== 206 || startOf(response) !== had || response.body === null) {
        await response.body?.cancel();
        throw new FileRefused('transfer');
      }
      for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
        if (had + chunk.length > bytes) throw new FileRefused('digest');
        await writeAll(file, chunk, had);
        had += chunk.length;
        onProgress(had);
      }
    },
  );
}

/** A disk that is almost full takes a part, and only the next write fails. */
async function writeAll(file: FileHandle, chunk: Uint8Array, position: number): Promise<void> {
  let written = 0;
  while (written < chunk.length) {
    const rest = chunk.length - written;
    written += (await file.write(chunk, written, rest, position + written)).bytesWritten;
  }
}

const startOf = (response: Response): number =>
  Number(/^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '')?.[1] ?? -1);

async function digestOf(file: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  const stream = file.createReadStream({ start: 0, autoClose: false });
  for await (const chunk of stream) hash.update(chunk as Uint8Array);
  return hash.digest('hex');
}

/** A replaced file keeps its mode, and its owner if the agent may set it. */
async function keepOwner(
  file: FileHandle,
  former: Awaited<ReturnType<typeof fs.lstat>> | undefined,
): Promise<void> {
  const replaced = former?.isFile() ? former : undefined;
  if (replaced !== undefined)
    await file.chown(Number(replaced.uid), Number(replaced.gid)).catch(() => {});
  await file.chmod(replaced === undefined ? NEW_FILE_MODE : Number(replaced.mode) & 0o777);
}

/** Atomically. Without overwriting, a file that was created in between is kept. */
async function giveName(names: {
  readonly part: string;
  readonly target: string;
  readonly overwrites: boolean;
}): Promise<void> {
  const { part, target, overwrites } = names;
  if (overwrites) return fs.rename(part, target);
  try {
    await fs.link(part, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
    // FAT has no hard links, and Node no rename that keeps an existing file.
    if ((await fs.lstat(target).catch(unlessMissing)) !== undefined)
      throw new FileRefused('exists');
    return fs.rename(part, target);
  }
  await fs.rm(part);
}

async function syncFolder({ link }: ReachedFile): Promise<void> {
  await using folder = await fs.open(link, constants.O_RDONLY | constants.O_DIRECTORY);
  await folder.sync();
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}
