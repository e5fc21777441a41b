import { systemActor } from '../../audit-trail/record-audit.ts';
import type { Change } from '../../platform/change-feed.ts';
import {
  inTransaction,
  type Database,
  type Transaction,
} from '../../platform/database/database.ts';
import { lockOnRetired, lockOnSuperseded } from '../data/execution/open-invocation-queries.ts';
import { endInvocations } from './end-invocations.ts';

const SWEEP_LIMIT = 1_000;

/**
 * Ends invocations that can no longer be delivered: the device is retired, or the instance that received the command
 * was superseded. Returns the changes to publish after commit.
 */
export async function terminateInvocations(
  database: Pick<Database, 'orm'>,
  deviceIds: readonly string[] | 'all' = 'all',
): Promise<Change[]> {
  return inTransaction(database, async (tx) => [
    ...(await terminateRetired(tx, deviceIds)),
    ...(await endSuperseded(tx, deviceIds)),
  ]);
}

async function terminateRetired(
  tx: Transaction,
  deviceIds: readonly string[] | 'all',
): Promise<Change[]> {
  return endInvocations(tx, await lockOnRetired(tx, deviceIds, SWEEP_LIMIT), {
    statusDetails: 'Terminated',
    audit: 'command.terminated',
    actor: systemActor,
    data: { reason: 'device-retired' },
  });
}

async function endSuperseded(
  tx: Transaction,
  deviceIds: readonly string[] | 'all',
): Promise<Change[]> {
  return endInvocations(tx, await lockOnSuperseded(tx, deviceIds, SWEEP_LIMIT), {
    statusDetails: 'Undeliverable',
    audit: 'command.terminated',
    actor: systemActor,
    data: { reason: 'instance-superseded' },
  });
}
