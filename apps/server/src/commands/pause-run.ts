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
 * Pauses a run: no further commands are sent. Commands that devices received continue to their end, and timeouts and
 * `maxErrors` still apply. Does nothing if the run is paused, being canceled, or ended.
 *
 * @throws PortalError 5000 if there is no such run within scope; 1000 without permission to run the command on every
 * device of the run
 */
export function pauseRun(deps: CommandsDeps, viewer: Viewer, input: PauseRun): Promise<RunDetail> {
  return changeRun(deps, viewer, {
    ...input,
    audit: 'command.paused',
    apply: (tx) => markRunPaused(tx, { id: input.id, at: deps.clock(), by: viewer.username }),
  });
}

/**
 * Resumes a paused run.
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
  // The dispatcher of the server that sends the run is notified after commit.
  deps.changes.publish([{ kind: 'run-resumed', runId: run.id }]);
  return run;
}

interface RunChange extends PauseRun {
  readonly audit: AuditType;
  /** Returns whether it changed the run. */
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
    // While the run is locked nothing of it is sent, so the queued invocations are the same after commit.
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
    // If everything has already been sent there is no device to record it for, so the event is recorded without one.
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
