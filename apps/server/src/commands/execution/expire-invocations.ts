import { sql, type SQL } from 'drizzle-orm';
import type { AuditType } from '@deviceportal/contract/audit-trail';
import {
  invocationState,
  isFinal,
  type InvocationState,
  type StatusDetails,
} from '@deviceportal/contract/states';
import { systemActor } from '../../audit-trail/record-audit.ts';
import type { Change } from '../../platform/change-feed.ts';
import {
  inTransaction,
  type Database,
  type Transaction,
} from '../../platform/database/database.ts';
import { endInvocations, type OpenInvocation } from './end-invocations.ts';

const SWEEP_LIMIT = 1_000;
/** A device that began in time says so a little later; one that stops itself needs a moment to say so, too. */
const GRACE_SECONDS = 30;

export interface Expired {
  /** To publish after commit. */
  readonly changes: Change[];
  /** Still running on their devices, as far as we know: to be stopped there. */
  readonly running: readonly OpenInvocation[];
  readonly again: boolean;
}

interface ExpiryRule {
  readonly statusDetails: StatusDetails;
  /** Which open runs it is about at all. */
  readonly run: SQL;
  readonly where: SQL;
}

/** Said beside `ended_at is null`, for the index by run and state. */
const openStates = sql.param(
  (Object.keys(invocationState) as InvocationState[]).filter((state) => !isFinal(state)),
);
const grace = sql.raw(`interval '${GRACE_SECONDS} seconds'`);

/**
 * In this order. The times are the run's, the same for all its invocations: what is due is found by way of the few
 * runs that are open, without an index of its own over invocations.
 */
const rules: readonly ExpiryRule[] = [
  {
    // The approval period has ended.
    statusDetails: 'Terminated',
    run: sql`state = 'Approval' and deliver_before < portal_now()`,
    where: sql`true`,
  },
  {
    // Nothing stays open past its expiry, whatever crashed (docs/design/decisions.md, section 4).
    statusDetails: 'Cancelled',
    run: sql`expires_at < portal_now()`,
    where: sql`invocation.state = 'Cancelling'`,
  },
  {
    statusDetails: 'Execution Timed Out',
    run: sql`expires_at < portal_now()`,
    where: sql`invocation.started_at is not null`,
  },
  {
    statusDetails: 'Delivery Timed Out',
    run: sql`state <> 'Approval' and expires_at < portal_now()`,
    where: sql`true`,
  },
  {
    statusDetails: 'Delivery Timed Out',
    run: sql`state <> 'Approval' and deliver_before < portal_now()`,
    where: sql`invocation.started_at is null and (invocation.sent_at is null or (run.deliver_before + ${grace} < portal_now() and invocation.state = 'InProgress'))`,
  },
  {
    // A device that is away may have finished in time: its result is waited for until the expiry.
    statusDetails: 'Execution Timed Out',
    run: sql`in_progress_count > 0`,
    where: sql`invocation.started_at is not null and invocation.state in ('InProgress', 'Cancelling')
      and status.connectivity in ('online', 'degraded')
      and greatest(invocation.started_at, status.connectivity_since)
        + make_interval(secs => run.execution_timeout_seconds) + ${grace} < portal_now()`,
  },
];

/** Ends what has run out of time. SKIP LOCKED: what is being changed is looked at again next time. */
export async function expireInvocations(database: Pick<Database, 'orm'>): Promise<Expired> {
  const all: Expired[] = [];
  for (const rule of rules) all.push(await inTransaction(database, (tx) => expire(tx, rule)));
  return {
    changes: all.flatMap(({ changes }) => changes),
    running: all.flatMap(({ running }) => running),
    again: all.some(({ again }) => again),
  };
}

async function expire(
  tx: Transaction,
  { statusDetails, run, where }: ExpiryRule,
): Promise<Expired> {
  const result = await tx.execute<
    OpenInvocation & Record<string, unknown> & { readonly sent: boolean }
  >(sql`
    with run as materialized (select * from command_run where ended_at is null and ${run})
    select invocation.id, invocation.run_id, invocation.device_id, invocation.state,
      invocation.sent_at is not null as sent
    from invocation join run on run.id = invocation.run_id
      left join device_status as status on status.device_id = invocation.device_id
    where invocation.ended_at is null and invocation.state = any(${openStates}::text[])
      and ${where}
    limit ${SWEEP_LIMIT} for update of invocation skip locked`);
  const changes = await endInvocations(tx, result.rows, {
    statusDetails,
    audit: auditTypeOf(statusDetails),
    actor: systemActor,
  });
  return {
    changes,
    running: result.rows.filter(({ sent }) => sent),
    again: result.rows.length === SWEEP_LIMIT,
  };
}

function auditTypeOf(statusDetails: StatusDetails): AuditType {
  if (statusDetails === 'Cancelled') return 'command.cancelled';
  return statusDetails === 'Terminated' ? 'command.terminated' : 'command.timed-out';
}
