import type { PortalError } from '@deviceportal/contract/errors';
import type { UndoHindrance } from '@deviceportal/contract/run-undo';
import { refuse } from '@deviceportal/contract/refuse';
import type { Transaction } from '../../platform/database/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { findRunByKey } from '../data/runs/run-insert-queries.ts';
import { isAlreadyUndone, lockForUndo } from '../data/undo-queries.ts';
import type { RunTarget } from '../target/run-target.ts';

export interface UndoLock {
  /** The run to undo. */
  readonly runId: string;
  readonly target: RunTarget;
  readonly idempotencyKey: string;
}

/**
 * Locks the run until the transaction ends, so that concurrent undo requests undo each device once. False if an earlier
 * call with the same idempotency key has created this undo.
 *
 * @throws PortalError 2004 if an undo on a device of the target has succeeded or is in progress
 */
export async function lockUndo(
  tx: Transaction,
  viewer: Viewer,
  { runId, target, idempotencyKey }: UndoLock,
): Promise<boolean> {
  await lockForUndo(tx, runId);
  // A separate statement, which sees what the previous holders of the lock have written.
  if ((await findRunByKey(tx, viewer.userId, idempotencyKey)) !== undefined) return false;
  if (await isAlreadyUndone(tx, runId, target)) throw cannotBeUndone(runId, 'undone');
  return true;
}

export function cannotBeUndone(runId: string, hindrance: UndoHindrance): PortalError {
  return refuse('cannot-be-undone', { field: 'runId', facts: { runId, hindrance } });
}
