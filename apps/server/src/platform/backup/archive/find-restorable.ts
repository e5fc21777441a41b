import type { FilePlace } from '../../files/file-place.ts';
import { StartError } from '../../process/start-error.ts';
import type { BackupSignature } from '../load-backup.ts';
import { asDamaged, DamagedBackup } from '../refused-backup.ts';
import {
  copyManifestSchema,
  openChain,
  openChainFolder,
  openChainList,
  timeOfKey,
  type ChainPlaces,
  type CopyManifest,
} from './archive-places.ts';
import { readSealed } from './sealed-object.ts';

export interface Restorable {
  readonly chain: ChainPlaces;
  readonly id: string;
  readonly manifest: CopyManifest;
  readonly signature: BackupSignature;
}

/**
 * The newest complete copy of a cluster that was finished by a time.
 * @param until undefined for the newest
 * @throws StartError if there is none
 */
export async function findRestorable(
  place: FilePlace,
  identities: readonly string[],
  until: Date | undefined,
): Promise<Restorable> {
  const copies: { readonly chain: string; readonly id: string }[] = [];
  for await (const { key: chain } of openChainList(place).list('')) {
    for await (const { key } of openChainFolder(place, chain, 'copies').list('')) {
      const [, id] = /^(.+)\.manifest$/.exec(key) ?? [];
      if (id !== undefined) copies.push({ chain, id });
    }
  }
  const newestFirst = copies.toSorted((one, other) => (one.id < other.id ? 1 : -1));
  for (const { chain, id } of newestFirst) {
    if (until !== undefined && timeOfKey(id) > until) continue;
    const found = await readManifest(openChain(place, chain), id, identities);
    if (until === undefined || new Date(found.manifest.endedAt) <= until) return found;
  }
  const oldest = newestFirst.at(-1);
  throw new StartError(
    oldest === undefined
      ? `${place.name} does not contain backups with a point in time.`
      : `${place.name} does not contain a backup of that time. The oldest one was begun at ${timeOfKey(oldest.id).toISOString()}.`,
  );
}

async function readManifest(
  chain: ChainPlaces,
  id: string,
  identities: readonly string[],
): Promise<Restorable> {
  const object = chain.copies(`${id}.manifest`);
  try {
    const found = await readSealed(object, identities);
    if (found === undefined) throw new DamagedBackup('is missing');
    const manifest = copyManifestSchema.parse(JSON.parse(found.content.toString('utf8')));
    return { chain, id, manifest, signature: found.signature };
  } catch (error) {
    throw error instanceof DamagedBackup ? asDamaged(object.name, error) : error;
  }
}
