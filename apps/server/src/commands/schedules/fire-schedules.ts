import { createHash } from 'node:crypto';
import { PortalError } from '@deviceportal/contract/errors';
import type { RefusalReason } from '@deviceportal/contract/refusals';
import type { AuditType } from '@deviceportal/contract/audit-trail';
import { recordAudit, systemActor } from '../../audit-trail/record-audit.ts';
import { notify } from '../../notifications/notify.ts';
import { inTransaction } from '../../platform/database/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import type { RunDeps } from '../commands-deps.ts';
import { runCommand } from '../run-command.ts';
import { findRunByKey } from '../data/runs/run-insert-queries.ts';
import { AuthorizationMismatchError } from '../signing/authorization-mismatch-error.ts';
import { findMismatch, type AuthorizationMismatch } from '../signing/authorization.ts';
import { reportMismatch } from '../signing/report-mismatch.ts';
import { authorizedSchedule } from './schedule-authorization.ts';
import { findDueSchedules, moveScheduleOn, type StoredSchedule } from '../data/schedule-queries.ts';
import { openParameters } from './open-schedule.ts';
import { isTimeOf, nextTimes } from './schedule-times.ts';

export interface FireSchedulesDeps extends RunDeps {
  /** The creator with their current permissions; undefined if they can no longer use the portal. */
  readonly findCreator: (
    creator: Pick<StoredSchedule, 'createdBySubject' | 'createdBy'>,
  ) => Promise<Viewer | undefined>;
}

/** Schedules are polled every second, so a run that is later than this was missed because no server was running. */
const MISSED_AFTER_MS = 60_000;
const MAX_DUE = 20;

/**
 * Starts due runs. Each time results in one run, even with several servers and after crashes: the idempotency key
 * consists of schedule and time, and the schedule advances only after the run exists.
 */
export async function fireSchedules(deps: FireSchedulesDeps): Promise<void> {
  const due = await findDueSchedules(deps.database.orm, deps.clock(), MAX_DUE);
  const outcomes = await eachInTurn(due, (schedule) => fire(deps, schedule));
  const failed = outcomes.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

/** Failures of one item do not affect the others. */
async function eachInTurn<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<PromiseSettledResult<void>[]> {
  const outcomes: PromiseSettledResult<void>[] = [];
  for (const item of items) outcomes.push(...(await Promise.allSettled([work(item)])));
  return outcomes;
}

interface Fired {
  readonly runId: string | null;
  /** Name of the error with which the run was rejected, `missed`, or why the schedule is paused. */
  readonly error: string | null;
  /** Number of devices above the agreed limit; the schedule is paused until a user raises the limit. */
  readonly exceedingCount: number | null;
  /** Difference from what a user authorized; the schedule is paused until a user signs it. */
  readonly mismatch: AuthorizationMismatch | null;
}

const refused = (error: string): Fired => ({
  ...{ runId: null, exceedingCount: null, mismatch: null },
  error,
});

/** A schedule without a valid signature can be signed again. One that was changed after it was signed cannot. */
const isUnsigned = ({ fault }: AuthorizationMismatch): boolean =>
  fault === 'unsigned' || fault === 'unknown-key';

const mismatched = (mismatch: AuthorizationMismatch): Fired => ({
  ...refused(isUnsigned(mismatch) ? 'authorization-missing' : 'authorization-mismatch'),
  mismatch,
});

async function fire(deps: FireSchedulesDeps, schedule: StoredSchedule): Promise<void> {
  const dueAt = schedule.nextAt ?? new Date(0);
  const isLate = deps.clock().getTime() - dueAt.getTime() > MISSED_AFTER_MS;
  const isChanged = schedule.inForce && !isTimeOf(schedule.times, dueAt);
  const fired: Fired = isChanged
    ? mismatched({ fault: 'changed', changed: ['nextAt'] })
    : isLate && schedule.missed === 'skip' && !(await hasRun(deps, schedule, dueAt))
      ? refused('missed')
      : await start(deps, schedule, dueAt);
  await moveOn(deps, schedule, { ...fired, dueAt });
}

/** Whether the run was started by a server that crashed before it could advance the schedule. */
async function hasRun(
  { database }: FireSchedulesDeps,
  { id, createdById }: StoredSchedule,
  dueAt: Date,
): Promise<boolean> {
  return (await findRunByKey(database.orm, createdById, keyOf(id, dueAt))) !== undefined;
}

/** A rejection is an outcome. Other errors are retried in the next round with the same key. */
async function start(
  deps: FireSchedulesDeps,
  schedule: StoredSchedule,
  dueAt: Date,
): Promise<Fired> {
  if (!schedule.inForce) return refused('noPermission');
  const creator = await deps.findCreator(schedule);
  if (creator === undefined) return refused('invalidSession');
  try {
    const run = await runCommand(deps, creator, {
      command: schedule.command,
      document: `${schedule.documentName}:${schedule.documentVersion}`,
      target: schedule.target,
      agreement: { kind: 'at-most', devices: schedule.maxDevices },
      parameters: { ...openParameters(deps, schedule) },
      maxConcurrency: schedule.maxConcurrency,
      maxErrors: schedule.maxErrors,
      timeoutSeconds: schedule.timeoutSeconds,
      comment: schedule.comment || schedule.name,
      // Confirmed at creation, for the devices of the schedule.
      confirmation: null,
      idempotencyKey: keyOf(schedule.id, dueAt),
      requireAuthorized: (resolved, values) => {
        const facts = authorizedSchedule(schedule, resolved, values);
        const mismatch = findMismatch(deps, schedule.authorization, facts);
        if (mismatch !== null) throw new AuthorizationMismatchError(mismatch);
      },
      origin: { requestId: `schedule:${schedule.id}`, address: '' },
    });
    return { runId: run.id, error: null, exceedingCount: null, mismatch: null };
  } catch (error) {
    if (error instanceof AuthorizationMismatchError) return mismatched(error.mismatch);
    if (!(error instanceof PortalError)) throw error;
    const { reason, devices } = error.facts;
    return reason === ('target-grew' satisfies RefusalReason)
      ? { ...refused(reason), exceedingCount: Number(devices) }
      : refused(reason === ('air-blast-needed' satisfies RefusalReason) ? reason : error.errorName);
  }
}

async function moveOn(
  deps: FireSchedulesDeps,
  schedule: StoredSchedule,
  fired: Fired & { readonly dueAt: Date },
): Promise<void> {
  const { runId, error, exceedingCount, mismatch, dueAt } = fired;
  // Times that have passed count as one; the next time is in the future.
  const after = new Date(Math.max(deps.clock().getTime(), dueAt.getTime()));
  const isPaused = exceedingCount !== null || mismatch !== null;
  // Without temporary access that has ended, the schedule never runs again.
  const [nextAt] =
    schedule.inForce && mismatch === null ? nextTimes(schedule.times, { after, count: 1 }) : [];
  const state = isPaused ? 'paused' : nextAt === undefined ? 'done' : 'active';
  const next = {
    state,
    nextAt: state === 'active' ? (nextAt ?? null) : null,
    lastRunId: runId,
    lastError: error,
    exceedingCount,
  } as const;
  const changes = await inTransaction(deps.database, async (tx) => {
    const isMoved = await moveScheduleOn(tx, { id: schedule.id, dueAt }, next);
    if (!isMoved || error === null) return [];
    await recordAudit(tx, [
      {
        type: auditTypeOf(fired),
        actor: systemActor,
        requestId: `schedule:${schedule.id}`,
        data: {
          scheduleId: schedule.id,
          schedule: schedule.name,
          command: schedule.command,
          dueAt: dueAt.toISOString(),
          error,
          ...excessOf(schedule, fired),
        },
      },
    ]);
    const alarms =
      mismatch === null
        ? []
        : await reportMismatch(tx, { kind: 'schedule', ...schedule, ...mismatch });
    const notices = await notify(tx, [
      {
        userId: schedule.createdById,
        kind: exceedingCount === null ? 'schedule-failed' : 'schedule-paused',
        subject: `schedule:${schedule.id}:${dueAt.toISOString()}`,
        facts: {
          scheduleId: schedule.id,
          schedule: schedule.name,
          error,
          ...excessOf(schedule, fired),
        },
      },
    ]);
    return [...alarms, ...notices];
  });
  deps.changes.publish(changes);
}

function auditTypeOf({ error, exceedingCount }: Fired): AuditType {
  if (exceedingCount !== null) return 'schedule.paused';
  return error === 'missed' ? 'schedule.missed' : 'schedule.refused';
}

const excessOf = (schedule: StoredSchedule, { exceedingCount }: Fired) =>
  exceedingCount === null ? {} : { devices: exceedingCount, limit: schedule.maxDevices };

/** The same schedule and time have the same key on every server. */
function keyOf(scheduleId: string, dueAt: Date): string {
  const hash = createHash('sha256').update(`${scheduleId} ${dueAt.toISOString()}`).digest('hex');
  return hash.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
