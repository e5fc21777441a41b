import { PortalError } from '@deviceportal/contract/errors';
import { refuse } from '@deviceportal/contract/refuse';
import { isStoreFull } from '../platform/files/is-store-full.ts';
import type { FileContentDeps } from './device-files-deps.ts';
import { endRequest } from './end-request.ts';

type StoreDeps = Pick<FileContentDeps, 'database' | 'changes' | 'contents'>;

/**
 * Stores content of a request. If the store is full, the request ends, and what was stored of it is
 * deleted, so that others have room.
 * @throws PortalError 2004 if the store is full
 */
export async function storeContent<Result>(
  deps: StoreDeps,
  { id, storageKey }: { readonly id: string; readonly storageKey: string },
  store: () => Promise<Result>,
): Promise<Result> {
  try {
    return await store();
  } catch (error) {
    const isFull = error instanceof PortalError && error.reason === 'server-disk-full';
    if (!isFull && !isStoreFull(error)) throw error;
    await endRequest(deps, { id, failure: 'store-full' });
    await deps.contents.remove(storageKey);
    throw refuse('server-disk-full');
  }
}
