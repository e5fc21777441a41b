import { sql } from 'drizzle-orm';
import { systemActor } from '../../audit-trail/record-audit.ts';
import type { Change } from '../../platform/change-feed.ts';
import {
  inTransaction,
  type Database,
  type Transaction,
} from '../../platform/database/database.ts';
import { endInvocations, type OpenInvocation } from './end-invocations.ts';

const SWEEP_LIMIT = 1_000;

/**
 * Ends what can never be delivered any more: the device is retired, or the instance that took the command was
 * superseded by another, which knows nothing of it. Returns what to publish after commit.
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

const among = (deviceIds: readonly string[] | 'all') =>
  deviceIds === 'all'
    ? sql`true`
    : sql`invocation.device_id in (
        select value::uuid from jsonb_array_elements_text(${JSON.stringify(deviceIds)}::jsonb))`;

async function terminateRetired(
  tx: Transaction,
  deviceIds: readonly string[] | 'all',
): Promise<Change[]> {
  const result = await tx.execute<OpenInvocation & Record<string, unknown>>(sql`
    select invocation.id, invocation.run_id, invocation.device_id, invocation.state
    from invocation join device_status as status on status.device_id = invocation.device_id
    where invocation.ended_at is null and status.lifecycle = 'retired' and ${among(deviceIds)}
    order by invocation.id limit ${SWEEP_LIMIT} for update of invocation skip locked`);
  return endInvocations(tx, result.rows, {
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
  const result = await tx.execute<OpenInvocation & Record<string, unknown>>(sql`
    select invocation.id, invocation.run_id, invocation.device_id, invocation.state
    from invocation join device_instance as instance on instance.id = invocation.instance_id
    where invocation.ended_at is null and invocation.sent_at is not null
      and instance.state <> 'current' and ${among(deviceIds)}
    order by invocation.id limit ${SWEEP_LIMIT} for update of invocation skip locked`);
  return endInvocations(tx, result.rows, {
    statusDetails: 'Undeliverable',
    audit: 'command.terminated',
    actor: systemActor,
    data: { reason: 'instance-superseded' },
  });
}
