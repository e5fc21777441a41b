import { recordAudit, systemActor } from '../../audit-trail/record-audit.ts';
import { sqlStateOf } from '../../platform/database/errors/data-exception.ts';
import { inTransaction, type Transaction } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { deleteReportFiles } from '../../reports/report-files.ts';
import {
  delayErasure,
  holdDueErasure,
  keepErasure,
  type StoredErasure,
} from '../data/erasure-queries.ts';
import type { PersonalDataDeps } from '../personal-data-deps.ts';
import { recordsOf } from '../record/record-file-name.ts';
import { eraseBatch } from './erase-batch.ts';

export type ErasureDeps = Pick<
  PersonalDataDeps,
  'database' | 'changes' | 'userReportFiles' | 'exportFiles' | 'keepRegister'
>;

export interface AdvanceOptions {
  /** Stops between two batches. */
  readonly limitMs: number;
  /** Of the only erasure to advance. */
  readonly id?: string;
  readonly onError?: (error: unknown) => void;
}

/**
 * Erases in batches what is due, each in a transaction with its progress: after a crash, any server continues. A failed
 * batch is tried again later, and does not delay other erasures.
 */
export async function advanceErasures(
  deps: ErasureDeps,
  { limitMs, id, onError = () => {} }: AdvanceOptions,
): Promise<void> {
  const until = performance.now() + limitMs;
  while (performance.now() < until) {
    let held: string | undefined;
    try {
      const found = await inTransaction(deps.database, async (tx) => {
        const erasure = await holdDueErasure(tx, id);
        held = erasure?.id;
        return erasure === undefined ? undefined : advance(deps, tx, erasure);
      });
      if (found === undefined) return;
      if (found.isEnded) deps.changes.publish([{ kind: 'person-erased', people: peopleOf(found) }]);
    } catch (error) {
      if (held === undefined) throw error;
      onError(error);
      await delayErasure(deps.database.orm, held, failureOf(error));
    }
  }
}

async function advance(
  deps: ErasureDeps,
  tx: Transaction,
  erasure: StoredErasure,
): Promise<StoredErasure & { readonly isEnded: boolean }> {
  if (erasure.step === null) {
    // At the beginning of each round, for a server that was killed before it did so.
    for (const person of peopleOf(erasure)) await deleteRecords(deps.exportFiles, person);
    if (erasure.round === 1) await deps.keepRegister();
  }
  for (const id of erasure.reportFiles) await deleteReportFiles(deps.userReportFiles, id);
  const change = await eraseBatch(tx, erasure);
  await keepErasure(tx, erasure.id, { ...change, failures: 0, failure: null });
  const isEnded = change.dueInSeconds === null;
  if (isEnded) {
    const { userId, personIds } = erasure;
    const { changed, deleted } = { ...erasure, ...change };
    await recordAudit(tx, [
      {
        type: 'people.erasure-completed',
        actor: systemActor,
        data: {
          ...(userId !== null && { userId }),
          ...(personIds.length > 0 && { personIds }),
          ...{ changed, deleted },
        },
      },
    ]);
  }
  return { ...erasure, isEnded };
}

const peopleOf = ({ userId, personIds }: Pick<StoredErasure, 'userId' | 'personIds'>): string[] => [
  ...(userId === null ? [] : [userId]),
  ...personIds,
];

async function deleteRecords(files: FileStore, personId: string): Promise<void> {
  const prefix = recordsOf(personId);
  for await (const { key } of files.list(prefix)) await files.remove(key);
  await files.removeUnfinished({ prefix });
}

/** Only a code: messages of the database can contain names. */
const failureOf = (error: unknown): string => sqlStateOf(error) ?? 'unknown';
