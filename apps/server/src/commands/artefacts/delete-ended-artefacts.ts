import type { Database } from '../../platform/database/database.ts';
import { deleteArtefacts, findEndedArtefacts } from '../data/artefact-queries.ts';
import type { ArtefactStore } from './artefact-store.ts';

const ARTEFACTS_AT_ONCE = 200;

/**
 * Deletes collected files whose invocation ended before a moment, content first: a row without its content answers
 * "not found", content without its row would stay for ever. Answers how many went.
 */
export async function deleteEndedArtefacts(
  deps: { readonly database: Pick<Database, 'orm'>; readonly store: Pick<ArtefactStore, 'remove'> },
  endedBefore: Date,
): Promise<number> {
  let total = 0;
  for (;;) {
    const ended = await findEndedArtefacts(deps.database.orm, endedBefore, ARTEFACTS_AT_ONCE);
    if (ended.length === 0) return total;
    for (const { storageKey } of ended) await deps.store.remove(storageKey);
    await deleteArtefacts(
      deps.database.orm,
      ended.map(({ id }) => id),
    );
    total += ended.length;
  }
}
