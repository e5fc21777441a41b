import type { AuditType } from '@deviceportal/contract/audit-trail';
import type { RunDetail } from '@deviceportal/contract/runs';
import { auditedDevices } from '../audit-trail/data/audited-devices.ts';
import { recordAuditForDevices } from '../audit-trail/record-audit-for-devices.ts';
import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import { inTransaction, type Transaction } from '../platform/database/database.ts';
import type { RequestOrigin, Viewer } from '../platform/viewer.ts';
import type { CommandsDeps } from './commands-deps.ts';
import { findUnsent, markRunPaused, markRunResumed } from './data/runs/run-state-queries.ts';
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
    apply: (tx) => markRunPaused(tx, { id: input.id, at: deps.clock(), by: viewer.username }),
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
  const run = await changeRun(deps, viewer, {
    ...input,
    audit: 'command.resumed',
    apply: (tx) => markRunResumed(tx, input.id),
  });
  // The dispatcher is told after the commit, on the server that sends the run.
  deps.changes.publish([{ kind: 'run-resumed', runId: run.id }]);
  return run;
}

interface RunChange extends PauseRun {
  readonly audit: AuditType;
  /** Says whether it changed the run. */
  readonly apply: (tx: Transaction) => Promise<boolean>;
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
    if (!(await change.apply(tx))) return [];
    const waiting = await findUnsent(tx, run.id);
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
