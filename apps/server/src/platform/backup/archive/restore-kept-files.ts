import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import type { FilePlace } from '../../files/file-place.ts';
import { pathIn } from '../../files/directory-files.ts';
import { KEPT_FOLDERS } from '../backup-format.ts';
import type { BackupSignature } from '../load-backup.ts';
import { DamagedBackup } from '../refused-backup.ts';
import {
  layouts,
  openChainFolder,
  timeOfKey,
  type ChainPlaces,
  type ContentFolder,
} from './archive-places.ts';
import { openSealed, readSealed } from './sealed-object.ts';

/** Changes of keys are stored within this time, and keys are needed for longer. */
const KEYS_LATE_MS = 120_000;

const keptFilesSchema = z.record(z.string().regex(/^[a-z]+\/(?!\.)[\w.-]+$/), z.base64());

export interface RestoreFilesOptions {
  readonly place: FilePlace;
  readonly chain: ChainPlaces;
  readonly identities: readonly string[];
  /** Undefined for the newest. */
  readonly to: Date | undefined;
  /** A separate data folder. */
  readonly aside: string;
}

/**
 * Writes the keys of a time, and all stored files, into a separate data folder.
 * @returns their signatures, which the caller verifies
 */
export async function restoreKeptFiles(
  options: RestoreFilesOptions,
): Promise<readonly BackupSignature[]> {
  const { chain, place, identities, aside } = options;
  const signatures: BackupSignature[] = [];
  const keys = await findKeys(options);
  if (keys !== undefined) {
    const found = await readSealed(chain.keys(keys), identities);
    if (found === undefined) throw new DamagedBackup('is incomplete');
    signatures.push(found.signature);
    await writeKeys(found.content, aside);
  }
  for (const folder of Object.keys(chain.files) as ContentFolder[]) {
    for await (const { key } of openChainFolder(place, chain.id, folder).list('')) {
      const target = join(aside, folder, pathIn(layouts[folder], key));
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      const signature = await openSealed(chain.files[folder](key), identities, (content) =>
        pipeline(content, createWriteStream(target, { mode: 0o600 })),
      );
      if (signature !== undefined) signatures.push(signature);
    }
  }
  return signatures;
}

/** The newest keys of that time, or those that were stored soon after it. */
async function findKeys({ place, chain, to }: RestoreFilesOptions): Promise<string | undefined> {
  const stored: string[] = [];
  for await (const { key } of openChainFolder(place, chain.id, 'keys').list('')) stored.push(key);
  const inOrder = stored.toSorted();
  if (to === undefined) return inOrder.at(-1);
  const limit = new Date(to.getTime() + KEYS_LATE_MS);
  return inOrder.findLast((key) => timeOfKey(key) <= limit) ?? inOrder[0];
}

async function writeKeys(content: Buffer, aside: string): Promise<void> {
  const kept = keptFilesSchema.parse(JSON.parse(content.toString('utf8')));
  for (const [path, base64] of Object.entries(kept)) {
    if (!KEPT_FOLDERS.some((folder) => path.startsWith(`${folder}/`))) {
      throw new DamagedBackup('contains files that are not keys');
    }
    const target = join(aside, path);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await writeFile(target, Buffer.from(base64, 'base64'), { mode: 0o600 });
  }
}
