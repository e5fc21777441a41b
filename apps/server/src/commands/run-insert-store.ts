import { sql } from 'drizzle-orm';
import type { Transaction } from '../platform/database/database.ts';
import type { StoredParameters } from './parameter-vault.ts';

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
  readonly targetCount: number;
  readonly createdById: string;
  readonly createdBy: string;
  readonly requestId: string;
  readonly createdAt: Date;
  readonly deliverBefore: Date;
  readonly expiresAt: Date;
}

/** False when a run with this person's idempotency key exists: a concurrent one is waited for. */
export async function insertRun(tx: Transaction, run: NewRun): Promise<boolean> {
  const { rowCount } = await tx.execute(sql`
    insert into command_run (
      id, idempotency_key, command, document_name, document_version, document_sha256, consequence, parameters,
      masked_parameters, target, target_sha256, max_concurrency, max_errors, timeout_seconds,
      execution_timeout_seconds, comment, state, status_details, target_count, pending_count, created_by_id,
      created_by, request_id, created_at, deliver_before, expires_at)
    values (
      ${run.id}, ${run.idempotencyKey}, ${run.command}, ${run.documentName}, ${run.documentVersion},
      ${run.documentSha256}, ${run.consequence}, ${JSON.stringify(run.parameters)}::jsonb,
      ${JSON.stringify(run.maskedParameters)}::jsonb, ${JSON.stringify(run.target)}::jsonb, ${run.targetSha256},
      ${run.maxConcurrency}, ${run.maxErrors}, ${run.timeoutSeconds}, ${run.executionTimeoutSeconds}, ${run.comment},
      'Pending', 'Pending', ${run.targetCount}, ${run.targetCount}, ${run.createdById}, ${run.createdBy},
      ${run.requestId}, ${run.createdAt.toISOString()}, ${run.deliverBefore.toISOString()},
      ${run.expiresAt.toISOString()})
    on conflict (created_by_id, idempotency_key) do nothing`);
  return rowCount === 1;
}

export interface NewInvocation {
  readonly id: string;
  readonly deviceId: string;
  readonly instanceId: string | null;
}

/** All invocations of a run in one statement. */
export async function insertInvocations(
  tx: Transaction,
  run: Pick<NewRun, 'id' | 'createdAt' | 'deliverBefore' | 'expiresAt'>,
  invocations: readonly NewInvocation[],
): Promise<void> {
  await tx.execute(sql`
    insert into invocation (id, run_id, device_id, instance_id, state, status_details, queued_at, deliver_before, expires_at)
    select n.id, ${run.id}::uuid, n.device_id, n.instance_id, 'Pending', 'Pending', ${run.createdAt.toISOString()}::timestamptz,
           ${run.deliverBefore.toISOString()}::timestamptz, ${run.expiresAt.toISOString()}::timestamptz
    from unnest(${sql.param(invocations.map(({ id }) => id))}::uuid[],
                ${sql.param(invocations.map(({ deviceId }) => deviceId))}::uuid[],
                ${sql.param(invocations.map(({ instanceId }) => instanceId))}::text[]) as n(id, device_id, instance_id)`);
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
