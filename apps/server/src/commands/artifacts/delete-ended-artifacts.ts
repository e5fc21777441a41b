import type { Database } from '../../platform/database/database.ts';
import { deleteArtifacts, findEndedArtifacts } from '../data/artifact-queries.ts';
import type { ArtifactStore } from './artifact-store.ts';

const ARTIFACTS_AT_ONCE = 200;

/**
 * Deletes collected files whose invocation ended before a moment, content first: a row without content results in "not
 * found", but content without a row would never be deleted. Returns the number of deleted files.
 */
export async function deleteEndedArtifacts(
  deps: { readonly database: Pick<Database, 'orm'>; readonly store: Pick<ArtifactStore, 'remove'> },
  endedBefore: Date,
): Promise<number> {
  let total = 0;
  for (;;) {
    const ended = await findEndedArtifacts(deps.database.orm, endedBefore, ARTIFACTS_AT_ONCE);
    if (ended.length === 0) return total;
    for (const { storageKey } of ended) await deps.store.remove(storageKey);
    await deleteArtifacts(
      deps.database.orm,
      ended.map(({ id }) => id),
    );
    total += ended.length;
  }
}
