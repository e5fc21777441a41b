import { isEmptyTarget, type CommandTarget } from '@deviceportal/contract/command-targets';
import type { AccessGrantBond } from '@deviceportal/contract/access-grants';
import { PortalError } from '@deviceportal/contract/errors';
import {
  defaultMaxDevices,
  type CreateScheduleInput,
  type Schedule,
} from '@deviceportal/contract/schedules';
import { refuse } from '@deviceportal/contract/refuse';
import {
  earlier,
  findRequiredAccessGrant,
  wherever,
} from '../../access/access-grants/find-required-access-grant.ts';
import { actorOf, recordAudit } from '../../audit-trail/record-audit.ts';
import { inTransaction, type Transaction } from '../../platform/database/database.ts';
import { requireRoom } from '../../platform/growth-limits/require-room.ts';
import type { RequestOrigin, Viewer } from '../../platform/viewer.ts';
import { approvalNeeded } from '../approval/approval-needed.ts';
import { findRunRule } from '../approval/find-run-rule.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { requireConfirmation } from '../confirmation-policy.ts';
import { resolveTarget } from '../target/resolve-target.ts';
import type { ResolvedTarget } from '../target/resolved-target.ts';
import { maskParameters, type ParameterValues } from '../parameters/parameter-vault.ts';
import { requireAllActive } from '../catalog/require-active.ts';
import { resolveCommand, type ResolvedCommand } from '../catalog/resolve-command.ts';
import { requireStepUpToDestroy } from '../step-up-when-destroying.ts';
import { requireRight } from '../run-command.ts';
import { authorize } from '../signing/authorization.ts';
import { requireAgreed, type TargetAgreement } from '../target/target-agreement.ts';
import { permissionsToRun } from '../run-policy.ts';
import { validateParameters } from '../parameters/validate-parameters.ts';
import { getSchedule } from './list-schedules.ts';
import { authorizedSchedule } from './schedule-authorization.ts';
import { insertSchedule, otherSchedules } from '../data/schedule-queries.ts';
import { nextTimes } from './schedule-times.ts';

export interface CreateSchedule extends Omit<
  CreateScheduleInput,
  'targetSha256' | 'targetCount' | 'maxDevices'
> {
  readonly agreement: TargetAgreement;
  /** Absent: `defaultMaxDevices`. */
  readonly maxDevices?: number | null;
  readonly origin: RequestOrigin;
}

/**
 * Creates a schedule: a command that runs later or repeatedly, with the current permissions of its creator at each run.
 * Checked like a run. A destructive command always runs on the confirmed devices.
 *
 * @throws PortalError as `runCommand`; 2004 if it would never run, is destructive with a target that can change, or has
 * a limit below the current number of devices
 */
export async function createSchedule(
  deps: CommandsDeps,
  viewer: Viewer,
  input: CreateSchedule,
): Promise<Schedule> {
  const planned = await planSchedule(deps, viewer, input);
  await inTransaction(deps.database, (tx) => write(tx, deps, viewer, planned));
  return getSchedule(deps, viewer, input.id);
}

interface PlannedSchedule {
  readonly input: CreateSchedule;
  readonly target: CommandTarget;
  readonly resolved: ResolvedCommand;
  readonly values: ParameterValues;
  readonly now: Date;
  readonly nextAt: Date;
}

/** Checks that do not depend on the devices. */
async function planSchedule(
  deps: CommandsDeps,
  viewer: Viewer,
  input: CreateSchedule,
): Promise<PlannedSchedule> {
  const resolved = await resolveCommand(deps.database.orm, input.command, input.document);
  requireRight(viewer, resolved);
  await requireStepUpToDestroy(input.origin, resolved.consequence);
  await requireAllActive(deps.database.orm, resolved);
  const { target } = input;
  if (target === null || isEmptyTarget(target)) throw new PortalError('commandHasNoDevice');
  requireFixedTarget(resolved, input.freeze);
  const { parameters = {} } = resolved.document.parsed;
  const values = validateParameters(parameters, input.parameters);
  const now = deps.clock();
  const [nextAt] = nextTimes(input.times, { after: now, count: 1 });
  if (nextAt === undefined) throw refuse('schedule-in-past', { field: 'times' });
  return { input, target, resolved, values, now, nextAt };
}

async function write(
  tx: Transaction,
  deps: CommandsDeps,
  viewer: Viewer,
  planned: PlannedSchedule,
): Promise<void> {
  const { input, resolved, values, now, nextAt } = planned;
  const existing = otherSchedules(viewer.userId, input.id);
  await requireRoom(tx, { limit: 'schedules', of: viewer.userId, existing });
  const resolvedTarget = await resolveAgreedTarget(tx, viewer, planned);
  const bond = await findRequiredAccessGrant(
    tx,
    viewer,
    wherever(viewer, permissionsToRun(resolved)),
  );
  requireBeforeEnd(nextAt, bond);
  const schedule = {
    ...input,
    target: input.freeze
      ? { kind: 'devices' as const, deviceIds: [...resolvedTarget.deviceIds] }
      : planned.target,
    frozenCount: input.freeze ? resolvedTarget.count : null,
    maxDevices: maxDevicesOf(input, resolvedTarget),
    createdById: viewer.userId,
    createdBy: viewer.username,
    createdBySubject: viewer.subject,
    bond,
  };
  const { document } = resolved;
  const isNew = await insertSchedule(tx, {
    ...schedule,
    documentName: document.name,
    documentVersion: document.version,
    consequence: resolved.consequence,
    parameters: deps.vault.seal(input.id, values, document.secretParameters),
    maskedParameters: maskParameters(values, document.secretParameters),
    nextAt,
    createdAt: now,
    authorization: await authorize(deps, authorizedSchedule(schedule, resolved, values), {
      by: { id: viewer.userId },
      at: now,
    }),
  });
  if (isNew) await recordCreated(tx, viewer, { planned, resolvedTarget, ...schedule });
}

/** The current devices, as shown and confirmed. */
async function resolveAgreedTarget(
  tx: Transaction,
  viewer: Viewer,
  { input, target, resolved, now }: PlannedSchedule,
): Promise<ResolvedTarget> {
  const { agreement } = input;
  const { consequence } = resolved;
  const resolvedTarget = await resolveTarget(tx, viewer, {
    ...{ resolved, target, agreement, now },
    write: null,
    idLimit: input.freeze ? ALL : 0,
  });
  await requireAgreed(tx, viewer, { agreement, resolvedTarget });
  const rule = await findRunRule(tx, consequence);
  approvalNeeded(rule, { consequence, count: resolvedTarget.count, agreement });
  requireConfirmation(consequence, resolvedTarget, input.confirmation);
  return resolvedTarget;
}

async function recordCreated(
  tx: Transaction,
  viewer: Viewer,
  created: {
    readonly planned: PlannedSchedule;
    readonly resolvedTarget: ResolvedTarget;
    readonly maxDevices: number;
    readonly bond: AccessGrantBond | null;
  },
): Promise<void> {
  const { planned, resolvedTarget, maxDevices, bond } = created;
  const { input, resolved } = planned;
  await recordAudit(tx, [
    {
      type: 'schedule.created',
      actor: actorOf(viewer, input.origin),
      requestId: input.origin.requestId,
      data: {
        scheduleId: input.id,
        schedule: input.name,
        command: resolved.command,
        document: `${resolved.document.name}:${resolved.document.version}`,
        targets: resolvedTarget.count,
        frozen: input.freeze,
        maxDevices,
        times: input.times,
        ...(bond && { elevationId: bond.accessGrantId }),
      },
    },
  ]);
}

function requireBeforeEnd(nextAt: Date, bond: AccessGrantBond | null): void {
  if (earlier(nextAt, bond) === nextAt) return;
  throw refuse('schedule-after-access', { field: 'times' });
}

/** Larger than any possible number of devices. */
const ALL = 2 ** 31 - 1;

/** @throws PortalError 2004 if the limit is below the current number of devices */
function maxDevicesOf(input: CreateSchedule, { count }: ResolvedTarget): number {
  if (input.freeze) return count;
  const maxDevices = input.maxDevices ?? defaultMaxDevices(count);
  if (maxDevices >= count) return maxDevices;
  throw refuse('schedule-max-devices-low', {
    field: 'maxDevices',
    facts: { devices: count },
  });
}

function requireFixedTarget({ consequence }: ResolvedCommand, freeze: boolean): void {
  if (consequence !== 'destroys' || freeze) return;
  throw refuse('schedule-must-be-fixed', { field: 'freeze' });
}
