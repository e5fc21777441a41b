import type { AuditType } from '@deviceportal/contract/audit-trail';
import type { RunDetail } from '@deviceportal/contract/runs';
import { sql, type SQL } from 'drizzle-orm';
import { auditedDevices, recordAuditForDevices } from '../audit-trail/record-audit-for-devices.ts';
import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import { inTransaction, type Transaction } from '../platform/database/database.ts';
import type { RequestOrigin, Viewer } from '../platform/viewer.ts';
import type { CommandsDeps } from './commands-deps.ts';
import { getRun } from './get-run.ts';
import { requireWholeRun } from './require-whole-run.ts';
import { permissionsToRun } from './run-policy.ts';
import { runnableOf } from './runnable-of-run.ts';

export interface PauseRun {
  readonly id: string;
  readonly origin: RequestOrigin;
}

/**
 * Nothing more of the run is sent; what devices were sent goes on to its end, and time-outs and maxErrors hold on. It
 * takes the right to run the command on every device of the run. What is paused, being cancelled or over stays as it
 * is.
 *
 * @throws PortalError 5000 when there is no such run within scope; 1000 without the right
 */
export function pauseRun(deps: CommandsDeps, viewer: Viewer, input: PauseRun): Promise<RunDetail> {
  return changeRun(deps, viewer, {
    ...input,
    audit: 'command.paused',
    from: ['Pending', 'InProgress'],
    set: sql`state = 'Paused', status_details = 'Paused', paused_at = ${deps.clock().toISOString()},
             paused_by = ${viewer.username}`,
  });
}

/**
 * A paused run goes on where it was held back.
 *
 * @throws PortalError 5000, 1000
 */
export async function resumeRun(
  deps: CommandsDeps,
  viewer: Viewer,
  input: PauseRun,
): Promise<RunDetail> {
  const wasSent = sql`pending_count < target_count`;
  const run = await changeRun(deps, viewer, {
    ...input,
    audit: 'command.resumed',
    from: ['Paused'],
    set: sql`state = case when ${wasSent} then 'InProgress' else 'Pending' end,
             status_details = case when ${wasSent} then 'InProgress' else 'Pending' end,
             paused_at = null, paused_by = null`,
  });
  // The dispatcher hears of it after the commit, on whichever server the run is being sent.
  deps.changes.publish([{ kind: 'run-resumed', runId: run.id }]);
  return run;
}

interface RunChange extends PauseRun {
  readonly audit: AuditType;
  readonly from: readonly string[];
  readonly set: SQL;
}

async function changeRun(
  deps: CommandsDeps,
  viewer: Viewer,
  change: RunChange,
): Promise<RunDetail> {
  const run = await getRun(deps, viewer, change.id);
  const permissions = permissionsToRun(await runnableOf(deps.database.orm, run));
  const deviceIds = await inTransaction(deps.database, async (tx) => {
    await requireWholeRun(tx, viewer, { runId: run.id, permissions });
    // Under the run's lock nothing of it is sent: what waits now is what waits when this has committed.
    const { rowCount } = await tx.execute(sql`
      update command_run set ${change.set}
      where id = ${run.id} and ended_at is null and state = any(${sql.param(change.from)}::text[])`);
    if (rowCount === 0) return [];
    const waiting = await findWaiting(tx, run.id);
    const event = {
      type: change.audit,
      actor: actorOf(viewer, change.origin),
      requestId: change.origin.requestId,
      runId: run.id,
      at: deps.clock(),
      data: { runId: run.id, command: run.command, waiting: waiting.length },
    };
    // Where everything was sent already there is no device to tell it of, and it was done all the same.
    if (waiting.length === 0) await recordAudit(tx, [event]);
    else await recordAuditForDevices(tx, { ...event, devices: auditedDevices(waiting) });
    return waiting.map(({ deviceId }) => deviceId);
  });
  deps.changes.publish([
    { kind: 'run', runIds: [run.id] },
    { kind: 'audit-trail', deviceIds },
  ]);
  return getRun(deps, viewer, run.id);
}

async function findWaiting(
  tx: Transaction,
  runId: string,
): Promise<{ readonly deviceId: string; readonly invocationId: string }[]> {
  const { rows } = await tx.execute(sql`
    select i.id as "invocationId", i.device_id as "deviceId" from invocation i
    where i.run_id = ${runId} and i.state in ('Pending', 'Delayed') order by i.id`);
  return rows as unknown as { deviceId: string; invocationId: string }[];
}
