import { sql, type SQL } from 'drizzle-orm';
import type { Transaction } from '../platform/database/database.ts';
import { orderedId } from '../platform/database/ordered-id.ts';
import type { PinnedDocument } from './pinned-document.ts';
import type { StoredParameters } from './parameters/parameter-vault.ts';

export interface NewRun {
  readonly id: string;
  readonly idempotencyKey: string;
  readonly command: string;
  readonly documentName: string;
  readonly documentVersion: number;
  readonly documentSha256: string;
  readonly consequence: string;
  readonly parameters: StoredParameters;
  readonly maskedParameters: Readonly<Record<string, unknown>>;
  readonly target: Readonly<Record<string, unknown>>;
  readonly targetSha256: string;
  readonly maxConcurrency: string;
  readonly maxErrors: string;
  readonly timeoutSeconds: number;
  readonly executionTimeoutSeconds: number;
  readonly comment: string;
  /** The case in which it is sent. */
  readonly caseId: string | null;
  readonly targetCount: number;
  /** It waits for a second person. */
  readonly held: boolean;
  /** How many are sent by the same transaction. */
  readonly sentCount: number;
  readonly createdById: string;
  readonly createdBy: string;
  readonly requestId: string;
  readonly createdAt: Date;
  readonly deliverBefore: Date;
  readonly expiresAt: Date;
  /** The run that it takes back. */
  readonly undoesRunId: string | null;
  /** What the document runs, pinned. */
  readonly subDocuments: readonly PinnedDocument[];
}

/** False when a run with this person's idempotency key exists: a concurrent one is waited for. */
export async function insertRun(tx: Transaction, run: NewRun): Promise<boolean> {
  const state = run.held ? 'Approval' : run.sentCount > 0 ? 'InProgress' : 'Pending';
  const { rowCount } = await tx.execute(sql`
    insert into command_run (
      id, idempotency_key, command, document_name, document_version, document_sha256, consequence, parameters,
      masked_parameters, target, target_sha256, max_concurrency, max_errors, timeout_seconds,
      execution_timeout_seconds, comment, case_id, state, status_details, target_count, pending_count, in_progress_count, created_by_id,
      created_by, request_id, created_at, deliver_before, expires_at, undoes_run_id, sub_documents)
    values (
      ${run.id}, ${run.idempotencyKey}, ${run.command}, ${run.documentName}, ${run.documentVersion},
      ${run.documentSha256}, ${run.consequence}, ${JSON.stringify(run.parameters)}::jsonb,
      ${JSON.stringify(run.maskedParameters)}::jsonb, ${JSON.stringify(run.target)}::jsonb, ${run.targetSha256},
      ${run.maxConcurrency}, ${run.maxErrors}, ${run.timeoutSeconds}, ${run.executionTimeoutSeconds}, ${run.comment}, ${run.caseId},
      ${state}, ${state}, ${run.targetCount}, ${run.targetCount - run.sentCount}, ${run.sentCount}, ${run.createdById}, ${run.createdBy},
      ${run.requestId}, ${run.createdAt.toISOString()}, ${run.deliverBefore.toISOString()},
      ${run.expiresAt.toISOString()}, ${run.undoesRunId}, ${JSON.stringify(run.subDocuments)}::jsonb)
    on conflict (created_by_id, idempotency_key) do nothing`);
  return rowCount === 1;
}

/** How many of a new run's connected devices are sent the command by the transaction that makes it. */
export type SentAtOnce = 'all' | 'first' | 'none';

const isSent: Readonly<Record<SentAtOnce, SQL>> = {
  all: sql`ready`,
  first: sql`ready and count(*) filter (where ready) over (order by position) = 1`,
  none: sql`false`,
};

/**
 * For `freezeTarget`: an invocation for each device that is reached, in the order of the devices.
 *
 * @param below from so many devices on nothing is sent at once; null: whatever their number
 */
export function writeInvocations(
  run: Pick<NewRun, 'id' | 'createdAt' | 'deliverBefore' | 'expiresAt'>,
  { sent, below }: { readonly sent: SentAtOnce; readonly below: number | null },
): SQL {
  const createdAt = sql`${run.createdAt.toISOString()}::timestamptz`;
  const isBelow = below === null ? sql`true` : sql`(select count from whole) < ${below}::int`;
  const state = sql`case when sent then 'InProgress' else 'Pending' end`;
  return sql`
    insert into invocation (id, run_id, device_id, instance_id, state, status_details, queued_at, sent_at,
      deliver_before, expires_at)
    select ${orderedId(run.createdAt.getTime(), sql`position`)}, ${run.id}::uuid, "deviceId",
      case when sent then coalesce("connectedInstanceId", "instanceId") else "instanceId" end, ${state}, ${state},
      ${createdAt}, case when sent then ${createdAt} end, ${run.deliverBefore.toISOString()}::timestamptz,
      ${run.expiresAt.toISOString()}::timestamptz
    from (select *, ${isSent[sent]} and ${isBelow} as sent from agreed) as numbered order by position`;
}

/**
 * A run's devices with their invocations, as `recordAuditForDevices` takes them; what was sent by the transaction that
 * made the run says so in the same event.
 */
export const invocationsOf = (run: Pick<NewRun, 'id' | 'createdAt'>): SQL => sql`
  select device_id,
    case when sent_at is null then jsonb_build_object('invocationId', id)
      else jsonb_build_object('invocationId', id, 'sentAt', ${run.createdAt.toISOString()}::text) end as own
  from invocation where run_id = ${run.id}`;

export async function findRunDevices(
  executor: Pick<Transaction, 'execute'>,
  runId: string,
): Promise<string[]> {
  const { rows } = await executor.execute<{ device_id: string }>(sql`
    select device_id from invocation where run_id = ${runId}`);
  return rows.map((row) => row.device_id);
}

/** The run that this person's key has already made. */
export async function findRunByKey(
  executor: Pick<Transaction, 'execute'>,
  createdById: string,
  idempotencyKey: string,
): Promise<{ readonly id: string; readonly command: string } | undefined> {
  const { rows } = await executor.execute(sql`
    select id, command from command_run
    where created_by_id = ${createdById} and idempotency_key = ${idempotencyKey}`);
  return rows[0] as { id: string; command: string } | undefined;
}
