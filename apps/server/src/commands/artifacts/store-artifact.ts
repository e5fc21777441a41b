import type { Readable } from 'node:stream';
import { PortalError } from '@deviceportal/contract/errors';
import { newId } from '@deviceportal/contract/ids';
import { isFinal } from '@deviceportal/contract/states';
import { refuse } from '@deviceportal/contract/refuse';
import { inTransaction, type Database } from '../../platform/database/database.ts';
import {
  findArtifactByName,
  findUploadTarget,
  insertArtifact,
  lockUploads,
  type UploadTarget,
} from '../data/artifact-queries.ts';
import type { ArtifactStore, StoredArtifact } from './artifact-store.ts';
import { roomFor } from './upload-quota.ts';
import type { UploadSlots } from './upload-slots.ts';

export interface ArtifactName {
  readonly invocationId: string;
  readonly name: string;
}

interface ReceivedArtifact {
  readonly id: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface StoreArtifactDeps {
  readonly database: Database;
  readonly store: ArtifactStore;
  readonly slots: UploadSlots;
}

/**
 * Stores a file of a running invocation, once. The same content again is the same file (the response was lost);
 * different content with the same name is rejected.
 *
 * @throws PortalError 5000 if the invocation does not exist; 1000 for a device that is not active; 2000 if too many
 * uploads are in progress; 2004 otherwise
 */
export async function storeArtifact(
  deps: StoreArtifactDeps,
  content: Readable,
  named: ArtifactName,
): Promise<ReceivedArtifact> {
  const { orm } = deps.database;
  const { deviceId } = requireOpen(await findUploadTarget(orm, named.invocationId));
  return deps.slots.run(deviceId, async () => {
    const target = requireOpen(await findUploadTarget(orm, named.invocationId));
    const isKnown = (await findArtifactByName(orm, named)) !== undefined;
    // A repeated upload needs no additional space.
    const stored = await deps.store.put(content, isKnown ? undefined : roomFor(target));
    try {
      const kept = await keep(deps.database, stored, { ...named, deviceId });
      if (!kept.isNew) await deps.store.remove(stored.storageKey);
      return { id: kept.id, bytes: kept.bytes, sha256: kept.sha256 };
    } catch (error) {
      await deps.store.remove(stored.storageKey);
      throw error;
    }
  });
}

/**
 * Checks again with the lock: during the upload, the invocation can have ended, or other files can have used the space.
 */
function keep(
  database: Database,
  stored: StoredArtifact,
  named: ArtifactName & { readonly deviceId: string },
): Promise<ReceivedArtifact & { readonly isNew: boolean }> {
  return inTransaction(database, async (tx) => {
    await lockUploads(tx, named);
    const target = requireOpen(await findUploadTarget(tx, named.invocationId));
    const before = await findArtifactByName(tx, named);
    if (before !== undefined) return { ...requireSame(before, stored), isNew: false };
    if (roomFor(target) < stored.bytes) throw spaceTaken();
    const id = newId();
    await insertArtifact(tx, { id, ...named, ...stored });
    return { id, bytes: stored.bytes, sha256: stored.sha256, isNew: true };
  });
}

function requireOpen(target: UploadTarget | undefined): UploadTarget {
  if (target === undefined) throw new PortalError('invocationNotFound');
  if (isFinal(target.state)) {
    throw refuse('file-of-ended-invocation');
  }
  if (target.lifecycle !== 'active') {
    throw refuse('file-of-inactive-device');
  }
  return target;
}

function requireSame(
  before: ReceivedArtifact,
  { bytes, sha256 }: StoredArtifact,
): ReceivedArtifact {
  if (before.sha256 === sha256 && before.bytes === bytes) return before;
  throw refuse('file-differs');
}

const spaceTaken = (): PortalError => refuse('file-space-taken');
