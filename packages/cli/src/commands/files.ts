import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { posix, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OperationOutput } from '@deviceportal/contract/public-api';
import type { ApiClient } from '../api/api-client.ts';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import type { TableColumn } from '../output/format-table.ts';
import type { Session } from '../session.ts';
import { findDevice } from './devices.ts';

export const fileActions = ['list', 'get', 'put'] as const;
type FileAction = (typeof fileActions)[number];
type Folder = OperationOutput<'listDeviceFiles'>;
type Transfer = OperationOutput<'getFileTransfer'>;

export interface FileOptions {
  readonly reason: string;
  readonly output?: string;
  readonly force?: boolean;
  readonly limit: number;
}

const POLL_MS = 1_000;

const columns: readonly TableColumn<Folder['items'][number]>[] = [
  { title: 'name', value: ({ name, kind }) => (kind === 'folder' ? `${name}/` : name) },
  { title: 'size', value: ({ bytes }) => (bytes === null ? '' : String(bytes)) },
  { title: 'modified', value: ({ modifiedAt }) => modifiedAt },
];

/** Lists a folder of a device, or downloads a file of it. */
export async function useFiles(
  session: Session,
  action: FileAction,
  named: string,
  given: string | undefined,
  options: FileOptions,
): Promise<void> {
  const path = given ?? '';
  if (action === 'put')
    throw new CliError('An upload requires a second step. Upload files in the portal.', {
      exitCode: exitCodes.denied,
    });
  if (action === 'get' && path === '')
    throw new CliError('The path of the file is missing.', { exitCode: exitCodes.usage });
  const api = await session.api();
  const { id } = await findDevice(api, named);
  if (action === 'list')
    await session.printer.list(entriesOf(api, id, path, options), columns, 'This folder is empty.');
  else await download(session, api, { device: id, path, ...options });
}

async function* entriesOf(
  api: ApiClient,
  device: string,
  path: string,
  { reason, limit }: FileOptions,
): AsyncGenerator<Folder['items'][number]> {
  let listed = 0;
  for (;;) {
    const query = { path, reason, offset: listed };
    const { items, total } = await api.call('listDeviceFiles', { params: { device }, query });
    for (const item of items) {
      if (listed === limit) return;
      listed += 1;
      yield item;
    }
    if (items.length === 0 || listed >= total) return;
  }
}

interface Download extends FileOptions {
  readonly device: string;
  readonly path: string;
}

async function download(session: Session, api: ApiClient, asked: Download): Promise<void> {
  const { device, path, reason, output, force = false } = asked;
  const { printer } = session;
  const target = resolve(output ?? posix.basename(path));
  if (!force && (await exists(target)))
    throw new CliError(`${target} exists. Replace it with --force, or choose --output.`, {
      exitCode: exitCodes.usage,
    });
  const params = { device };
  const { id } = await api.call('createFileDownload', { params, body: { path, reason } });
  const transfer = await untilEnded(session, api, id);
  if (transfer.state === 'failed' || transfer.url === null)
    throw new CliError(`The file was not downloaded (${transfer.failure ?? 'no content'}).`, {
      exitCode: exitCodes.rejected,
    });
  await save(`${api.portalUrl}${transfer.url}`, { target, sha256: transfer.sha256 });
  const { bytes, sha256 } = transfer;
  if (printer.isJson) printer.json({ path, file: target, bytes, sha256 });
  else printer.facts({ File: target, Bytes: bytes, 'SHA-256': sha256 });
}

async function untilEnded({ printer }: Session, api: ApiClient, id: string): Promise<Transfer> {
  for (;;) {
    const transfer = await api.call('getFileTransfer', { params: { transfer: id } });
    if (transfer.state === 'done' || transfer.state === 'failed') return transfer;
    const { receivedBytes, bytes } = transfer;
    printer.progress(`${receivedBytes} of ${bytes ?? 'unknown'} bytes received from the device`);
    await sleep(POLL_MS);
  }
}

interface Target {
  readonly target: string;
  readonly sha256: string | null;
}

/** The file has its name only when it is complete and has its digest. */
async function save(url: string, { target, sha256 }: Target): Promise<void> {
  const part = `${target}.${process.pid}.part`;
  try {
    const { ok, status, body } = await fetch(url, { redirect: 'manual' });
    if (!ok || body === null)
      throw new CliError(`The portal did not send the file (status ${status}).`, {
        exitCode: exitCodes.unavailable,
      });
    const hash = createHash('sha256');
    await pipeline(
      body,
      async function* (source: AsyncIterable<Uint8Array>) {
        for await (const chunk of source) {
          hash.update(chunk);
          yield chunk;
        }
      },
      createWriteStream(part, { flags: 'wx', mode: 0o600 }),
    );
    if (hash.digest('hex') !== sha256)
      throw new CliError('The content that arrived is not that of the file. Try again.', {
        exitCode: exitCodes.unexpected,
      });
    await rename(part, target);
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    const { code = 'connection lost' } = cause as NodeJS.ErrnoException;
    throw new CliError(`${target} cannot be saved (${code}).`, {
      ...{ exitCode: exitCodes.unexpected, cause },
    });
  } finally {
    await rm(part, { force: true });
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
