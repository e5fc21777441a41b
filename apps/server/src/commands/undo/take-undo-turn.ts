import type { PortalError } from '@deviceportal/contract/errors';
import type { UndoHindrance } from '@deviceportal/contract/run-undo';
import { refuse } from '@deviceportal/contract/refuse';
import type { Transaction } from '../../platform/database/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { findRunByKey } from '../data/runs/run-insert-queries.ts';
import { isAlreadyUndone, lockForUndo } from '../data/undo-queries.ts';
import type { RunTarget } from '../target/run-target.ts';

export interface UndoTurn {
  /** The run that is taken back. */
  readonly runId: string;
  readonly target: RunTarget;
  readonly idempotencyKey: string;
}

/**
 * Locks the run that is taken back until the transaction ends, so that of several undo requests at once each device is
 * taken back by one. False when an earlier call with the same idempotency key has made this undo.
 *
 * @throws PortalError 2004 when a device of the target was taken back in the meantime, or is about to be
 */
export async function takeUndoTurn(
  tx: Transaction,
  viewer: Viewer,
  { runId, target, idempotencyKey }: UndoTurn,
): Promise<boolean> {
  await lockForUndo(tx, runId);
  // A statement of its own: it sees what the transactions that held the lock before have written.
  if ((await findRunByKey(tx, viewer.userId, idempotencyKey)) !== undefined) return false;
  if (await isAlreadyUndone(tx, runId, target)) throw cannotBeUndone(runId, 'undone');
  return true;
}

export function cannotBeUndone(runId: string, hindrance: UndoHindrance): PortalError {
  return refuse('cannot-be-undone', { field: 'runId', facts: { runId, hindrance } });
}
