import type { Readable } from 'node:stream';
import { PortalError } from '@deviceportal/contract/errors';
import { newId } from '@deviceportal/contract/ids';
import { isFinal } from '@deviceportal/contract/states';
import { inTransaction, type Database } from '../platform/database/database.ts';
import {
  findArtefactByName,
  findUploadTarget,
  insertArtefact,
  lockInvocation,
  type UploadTarget,
} from './artefact-row-store.ts';
import type { ArtefactStore, StoredArtefact } from './artefact-store.ts';

const MAX_ARTEFACTS = 100;

export interface ArtefactName {
  readonly invocationId: string;
  readonly name: string;
}

interface KeptArtefact {
  readonly id: string;
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Keeps a file of an invocation that is under way, once: the same content again is the same file (an answer was lost
 * on its way), other content under its name is refused.
 *
 * @throws PortalError 5000 without such an invocation; 1000 for a device that is not active; 2004 otherwise
 */
export async function keepArtefact(
  { database, store }: { readonly database: Database; readonly store: ArtefactStore },
  content: Readable,
  named: ArtefactName,
): Promise<KeptArtefact> {
  requireOpen(await findUploadTarget(database.orm, named.invocationId));
  const stored = await store.put(content);
  try {
    const id = newId();
    const kept = await inTransaction(database, async (tx): Promise<KeptArtefact> => {
      // Again, under the lock of the invocation: it may have ended while the content came in.
      await lockInvocation(tx, named.invocationId);
      const target = requireOpen(await findUploadTarget(tx, named.invocationId));
      const before = await findArtefactByName(tx, named);
      if (before !== undefined) return requireSame(before, stored);
      requireRoom(target);
      await insertArtefact(tx, { id, ...named, ...stored });
      return { id, bytes: stored.bytes, sha256: stored.sha256 };
    });
    if (kept.id !== id) await store.remove(stored.storageKey);
    return { id: kept.id, bytes: kept.bytes, sha256: kept.sha256 };
  } catch (error) {
    await store.remove(stored.storageKey);
    throw error;
  }
}

function requireOpen(target: UploadTarget | undefined): UploadTarget {
  if (target === undefined) throw new PortalError('invocationNotFound');
  if (isFinal(target.state)) {
    throw new PortalError('invalidParameters', {
      message: 'The invocation has ended: its files stay as they are',
    });
  }
  if (target.lifecycle !== 'active') {
    throw new PortalError('noPermission', { message: 'The device is not active' });
  }
  return target;
}

function requireSame(before: KeptArtefact, { bytes, sha256 }: StoredArtefact): KeptArtefact {
  if (before.sha256 === sha256 && before.bytes === bytes) return before;
  throw new PortalError('invalidParameters', {
    message: 'A file of this name is already stored, with other content',
  });
}

function requireRoom({ artefacts }: UploadTarget): void {
  if (artefacts < MAX_ARTEFACTS) return;
  throw new PortalError('invalidParameters', { message: `No more than ${MAX_ARTEFACTS} files` });
}
