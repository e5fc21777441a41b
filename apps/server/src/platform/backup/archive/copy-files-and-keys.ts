import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { FileStore } from '../../files/file-store.ts';
import { KEPT_FOLDERS } from '../backup-format.ts';
import { LEFT_OUT_KEYS, type StreamBackupOptions } from '../write-backup.ts';
import { sealOf, type ArchiveContext } from './archive-context.ts';
import {
  openChainFolder,
  timeKey,
  type ChainPlaces,
  type ContentFolder,
} from './archive-places.ts';
import type { ChainState } from './chain-state.ts';
import { putSealed } from './sealed-object.ts';

/** By relative path, base64. */
export type KeptFiles = Readonly<Record<string, string>>;

/** Stores keys and certificates if they have changed. Returns their digest. */
export async function copyKeys(
  context: ArchiveContext,
  chain: ChainPlaces,
  earlierDigest: string | null,
): Promise<string> {
  const content = Buffer.from(JSON.stringify(await readKeptFiles(context.dataDir)));
  const digest = createHash('sha256').update(content).digest('hex');
  if (digest === earlierDigest) return digest;
  const key = timeKey(context.clock());
  await putSealed(chain.keys(key), async () => Readable.from([content]), sealOf(context));
  return digest;
}

async function readKeptFiles(dataDir: string): Promise<KeptFiles> {
  const kept: Record<string, string> = {};
  for (const folder of KEPT_FOLDERS) {
    const entries = await readdir(join(dataDir, folder), { withFileTypes: true }).catch(() => []);
    for (const { name } of entries.filter((entry) => entry.isFile())) {
      const path = `${folder}/${name}`;
      if (name.endsWith('.new') || LEFT_OUT_KEYS.has(path)) continue;
      kept[path] = await readFile(join(dataDir, path), 'base64');
    }
  }
  return kept;
}

/**
 * Stores the files of the data folder that are not stored yet. A file never changes, and has its row after it is stored;
 * therefore, files that are copied before a segment of the write-ahead log are those that its rows refer to.
 *
 * @returns since when stored files are no longer in the data folder
 */
export async function copyNewFiles(
  context: ArchiveContext,
  chain: ChainPlaces,
  { missingSince }: Pick<ChainState, 'missingSince'>,
): Promise<ChainState['missingSince']> {
  if (context.files === undefined) return {};
  const missing: Record<string, string> = {};
  for (const { folder, files } of storesOf(context.files)) {
    const stored = new Set<string>();
    for await (const { key } of openChainFolder(context.place, chain.id, folder).list('')) {
      stored.add(key);
    }
    const present = new Set<string>();
    for await (const { key } of files.list('')) {
      present.add(key);
      if (!stored.has(key)) await copyFile(context, { files, key, to: chain.files[folder](key) });
    }
    for (const key of stored) {
      const name = `${folder}/${key}`;
      if (!present.has(key)) missing[name] = missingSince[name] ?? context.clock().toISOString();
    }
  }
  return missing;
}

/** A file that was deleted since it was listed has no rows at the next transfer. */
async function copyFile(
  context: ArchiveContext,
  {
    files,
    key,
    to,
  }: {
    readonly files: FileStore;
    readonly key: string;
    readonly to: ReturnType<ChainPlaces['log']>;
  },
): Promise<void> {
  const read = async (): Promise<Readable> => {
    const opened = await files.open(key);
    if (opened === undefined) throw new DeletedMeanwhile();
    return opened.content;
  };
  await putSealed(to, read, sealOf(context)).catch((error: unknown) => {
    if (!(error instanceof DeletedMeanwhile)) throw error;
  });
}

class DeletedMeanwhile extends Error {}

const storesOf = ({
  software,
  artifacts,
  archive,
}: StreamBackupOptions['files']): readonly {
  readonly folder: ContentFolder;
  readonly files: FileStore;
}[] => [
  { folder: 'software', files: software },
  { folder: 'artefacts', files: artifacts },
  { folder: 'audit-trail', files: archive.files },
];
