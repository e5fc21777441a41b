import { and, eq, sql, type SQL } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { columnNames } from '../../../platform/database/column-names.ts';
import type { Executor, Transaction } from '../../../platform/database/database.ts';
import { orderedId } from '../../../platform/database/ordered-id.ts';
import { commandRun, invocation } from '../commands-tables.ts';
import type { AgreedDevices, ResolveOptions } from '../target-queries.ts';

type RunColumns = Readonly<typeof commandRun.$inferSelect>;

export type NewRun = Omit<
  RunColumns,
  | 'state'
  | 'statusDetails'
  | 'rampLimit'
  | 'pendingCount'
  | 'inProgressCount'
  | 'successCount'
  | 'failedCount'
  | 'timedOutCount'
  | 'cancelledCount'
  | 'endedAt'
  | 'pausedAt'
  | 'pausedBy'
> & {
  /** Whether it waits for approval. */
  readonly held: boolean;
  /** Number of invocations sent by the same transaction. */
  readonly sentCount: number;
};

/** False if a run with this user's idempotency key exists. Waits for a concurrent insert. */
export async function insertRun(
  tx: Transaction,
  { held, sentCount, ...run }: NewRun,
): Promise<boolean> {
  const state = held ? 'Approval' : sentCount > 0 ? 'InProgress' : 'Pending';
  const { rowCount } = await tx
    .insert(commandRun)
    .values({
      ...run,
      ...{ state, statusDetails: state },
      pendingCount: run.targetCount - sentCount,
      inProgressCount: sentCount,
    })
    .onConflictDoNothing({ target: [commandRun.createdById, commandRun.idempotencyKey] });
  return rowCount === 1;
}

/** Connected devices to which the transaction of a new run sends the command. */
export type SentAtOnce = 'all' | 'first' | 'none';

function isSent(sent: SentAtOnce, { ready, deviceId }: AgreedDevices): SQL {
  if (sent === 'none') return sql`false`;
  return sent === 'all'
    ? sql`${ready}`
    : sql`${ready} and count(*) filter (where ${ready}) over (order by ${deviceId}) = 1`;
}

/**
 * For `resolveTarget`: creates an invocation for each target device, sorted by device ID.
 *
 * @param below nothing is sent immediately if there are at least this many devices; null for no limit
 */
export function writeInvocations(
  run: Pick<NewRun, 'id' | 'createdAt' | 'deliverBefore' | 'expiresAt'>,
  { sent, below }: { readonly sent: SentAtOnce; readonly below: number | null },
): NonNullable<ResolveOptions['write']> {
  const createdAt = sql`${run.createdAt.toISOString()}::timestamptz`;
  const columns = columnNames(
    ...[invocation.id, invocation.runId, invocation.deviceId, invocation.instanceId],
    ...[invocation.state, invocation.statusDetails, invocation.queuedAt, invocation.sentAt],
    ...[invocation.deliverBefore, invocation.expiresAt],
  );
  const state = sql`case when sent then 'InProgress' else 'Pending' end`;
  return (agreed) => {
    const { deviceId, instanceId, connectedInstanceId, position } = agreed;
    const isBelow =
      below === null ? sql`true` : sql`(select count(*) from ${agreed}) < ${below}::int`;
    const numbered = new QueryBuilder()
      .select({
        deviceId,
        instanceId,
        connectedInstanceId,
        position,
        sent: sql`${isSent(sent, agreed)} and ${isBelow}`.as('sent'),
      })
      .from(agreed)
      .as('numbered');
    return sql`
      insert into ${invocation} (${columns})
      select ${orderedId(run.createdAt.getTime(), sql`${numbered.position}`)}, ${run.id}::uuid, ${numbered.deviceId},
        case when sent then coalesce(${numbered.connectedInstanceId}, ${numbered.instanceId}) else ${numbered.instanceId} end,
        ${state}, ${state}, ${createdAt}, case when sent then ${createdAt} end,
        ${run.deliverBefore.toISOString()}::timestamptz, ${run.expiresAt.toISOString()}::timestamptz
      from ${numbered} order by ${numbered.deviceId}`;
  };
}

/**
 * Devices of a run with their invocations, as input for `recordAuditForDevices`. The event of an invocation that was
 * sent by the transaction of the run includes that.
 */
export const invocationsOf = (run: Pick<NewRun, 'id' | 'createdAt'>): SQL =>
  new QueryBuilder()
    .select({
      deviceId: invocation.deviceId,
      own: sql`case when ${invocation.sentAt} is null then jsonb_build_object('invocationId', ${invocation.id})
        else jsonb_build_object('invocationId', ${invocation.id}, 'sentAt', ${run.createdAt.toISOString()}::text) end`.as(
        'own',
      ),
    })
    .from(invocation)
    .where(eq(invocation.runId, run.id))
    .getSQL();

/** The run that this user has already created with the key. */
export async function findRunByKey(
  on: Executor,
  createdById: string,
  idempotencyKey: string,
): Promise<Pick<RunColumns, 'id' | 'command'> | undefined> {
  const [found] = await on
    .select({ id: commandRun.id, command: commandRun.command })
    .from(commandRun)
    .where(
      and(eq(commandRun.createdById, createdById), eq(commandRun.idempotencyKey, idempotencyKey)),
    );
  return found;
}
