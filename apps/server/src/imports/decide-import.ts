import type { AuditType } from '@deviceportal/contract/audit-trail';
import { IMPORT_HOURS, type ImportDetail, type ImportState } from '@deviceportal/contract/imports';
import { refuse } from '@deviceportal/contract/refuse';
import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import { inTransaction, type Transaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import { updateImport, type ImportChanges, type StoredImport } from './data/import-queries.ts';
import { deleteRowsOf } from './data/import-row-queries.ts';
import { getImport } from './get-import.ts';
import { importDetail } from './import-detail.ts';
import type { ImportsDeps } from './imports-deps.ts';
import { requireImport } from './require-import.ts';

interface Decision {
  readonly id: string;
  /** States in which it is made, and in which a repeated request finds it made. */
  readonly from: readonly ImportState[];
  readonly done: readonly ImportState[];
  readonly change: (tx: Transaction, found: StoredImport) => Promise<ImportChanges>;
  readonly event?: AuditType;
}

/** Starts writing the new and changed rows of a preview. A repeated request changes nothing more. */
export const confirmImport = (deps: ImportsDeps, caller: Caller, id: string) =>
  decide(deps, caller, {
    id,
    from: ['ready'],
    done: ['applying', 'applied'],
    event: 'import.confirmed',
    change: async () => ({ state: 'applying', isConfirmed: true }),
  });

/** Starts undoing the rows of an import. A repeated request changes nothing more. */
export const undoImport = (deps: ImportsDeps, caller: Caller, id: string) =>
  decide(deps, caller, {
    id,
    from: ['applied'],
    done: ['undoing', 'undone'],
    event: 'import.undo-started',
    change: async (_tx, found) => {
      if (importDetail(found, deps.clock()).canUndo) return { state: 'undoing' };
      throw refuse('import-undo-ended', { facts: { hours: IMPORT_HOURS } });
    },
  });

/** Deletes the rows of a file that is not confirmed. */
export const discardImport = (deps: ImportsDeps, caller: Caller, id: string) =>
  decide(deps, caller, {
    id,
    from: ['uploading', 'checking', 'ready'],
    done: ['discarded'],
    change: async (tx) => {
      await deleteRowsOf(tx, id);
      return { state: 'discarded', hasEnded: true };
    },
  });

async function decide(
  deps: ImportsDeps,
  caller: Caller,
  { id, from, done, change, event }: Decision,
): Promise<ImportDetail> {
  const { viewer } = caller;
  await inTransaction(deps.database, async (tx) => {
    const found = await requireImport(tx, viewer, id);
    const { state } = importDetail(found, deps.clock());
    if (done.includes(state)) return;
    if (!from.includes(state)) throw refuse('import-state-differs');
    await updateImport(tx, id, await change(tx, found));
    if (event === undefined) return;
    await recordAudit(tx, [
      {
        type: event,
        actor: actorOf(viewer, caller),
        requestId: id,
        data: importFacts(found),
      },
    ]);
  });
  return getImport(deps, viewer, { id });
}

/** What the audit trail says of an import. The name of a file can name a person. */
export const importFacts = ({ id, kind, counts }: StoredImport): Record<string, unknown> => ({
  ...{ importId: id, kind, new: counts.new, changed: counts.changed, refused: counts.refused },
});
