import { sql, type SQL } from 'drizzle-orm';
import type { StatusDetails } from '@deviceportal/contract/states';
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
export const GRACE_SECONDS = 30;

export interface Expired {
  /** To publish after commit. */
  readonly changes: Change[];
  /** Still running on their devices, as far as we know: to be stopped there. */
  readonly running: readonly OpenInvocation[];
  readonly again: boolean;
}

interface ExpiryRule {
  readonly statusDetails: StatusDetails;
  readonly where: SQL;
}

const grace = sql.raw(`interval '${GRACE_SECONDS} seconds'`);

/** In this order; each looks along an index of open invocations only. */
const rules: readonly ExpiryRule[] = [
  {
    // Nothing stays open past its expiry, whatever crashed (decisions, section 4).
    statusDetails: 'Cancelled',
    where: sql`invocation.expires_at < now() and invocation.state = 'Cancelling'`,
  },
  {
    statusDetails: 'Execution Timed Out',
    where: sql`invocation.expires_at < now() and invocation.started_at is not null`,
  },
  {
    statusDetails: 'Delivery Timed Out',
    where: sql`invocation.expires_at < now()`,
  },
  {
    statusDetails: 'Delivery Timed Out',
    where: sql`invocation.started_at is null and invocation.deliver_before < now()
      and (invocation.sent_at is null or (invocation.deliver_before + ${grace} < now() and invocation.state = 'InProgress'))`,
  },
  {
    // A device that is away may have finished in time: its result is waited for until the expiry.
    statusDetails: 'Execution Timed Out',
    where: sql`invocation.started_at is not null and invocation.state in ('InProgress', 'Cancelling')
      and status.connectivity in ('online', 'degraded')
      and greatest(invocation.started_at, status.connectivity_since)
        + make_interval(secs => run.execution_timeout_seconds) + ${grace} < now()`,
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

async function expire(tx: Transaction, { statusDetails, where }: ExpiryRule): Promise<Expired> {
  const result = await tx.execute<
    OpenInvocation & Record<string, unknown> & { readonly sent: boolean }
  >(sql`
    select invocation.id, invocation.run_id, invocation.device_id, invocation.state,
      invocation.sent_at is not null as sent
    from invocation join command_run as run on run.id = invocation.run_id
      left join device_status as status on status.device_id = invocation.device_id
    where invocation.ended_at is null and ${where}
    order by invocation.id limit ${SWEEP_LIMIT} for update of invocation skip locked`);
  const changes = await endInvocations(tx, result.rows, {
    statusDetails,
    audit: statusDetails === 'Cancelled' ? 'command.cancelled' : 'command.timed-out',
    actor: systemActor,
  });
  return {
    changes,
    running: result.rows.filter(({ sent }) => sent),
    again: result.rows.length === SWEEP_LIMIT,
  };
}
