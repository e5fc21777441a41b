import { sql } from 'drizzle-orm';
import { isEmptyTarget, type CommandTarget } from '@deviceportal/contract/command-targets';
import type { ElevationBond } from '@deviceportal/contract/elevations';
import { PortalError } from '@deviceportal/contract/errors';
import {
  defaultMaxDevices,
  type CreateScheduleInput,
  type Schedule,
} from '@deviceportal/contract/schedules';
import { refuse } from '@deviceportal/contract/refuse';
import {
  earlier,
  findElevationBehind,
  wherever,
} from '../../access/elevations/find-elevation-behind.ts';
import { actorOf, recordAudit } from '../../audit-trail/record-audit.ts';
import { inTransaction } from '../../platform/database/database.ts';
import { requireRoom } from '../../platform/growth-limits/require-room.ts';
import type { RequestOrigin, Viewer } from '../../platform/viewer.ts';
import { guardRun } from '../approval/guard-run.ts';
import { findRunRule } from '../approval/find-run-rule.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { requireConfirmation } from '../confirmation-policy.ts';
import { freezeTarget, type FrozenTarget } from '../target/freeze-target.ts';
import { maskParameters } from '../parameters/parameter-vault.ts';
import { requireAllActive } from '../catalog/require-active.ts';
import { resolveCommand, type ResolvedCommand } from '../catalog/resolve-command.ts';
import { requireRight } from '../run-command.ts';
import { authorize } from '../signing/authorization.ts';
import { requireAgreed, type TargetAgreement } from '../target/target-agreement.ts';
import { permissionsToRun } from '../run-policy.ts';
import { validateParameters } from '../parameters/validate-parameters.ts';
import { getSchedule } from './list-schedules.ts';
import { authorizedSchedule } from './schedule-authorization.ts';
import { insertSchedule } from './schedule-store.ts';
import { nextTimes } from './schedule-times.ts';

export interface CreateSchedule extends Omit<
  CreateScheduleInput,
  'targetSha256' | 'targetCount' | 'maxDevices'
> {
  readonly agreement: TargetAgreement;
  /** Left out, it is what `defaultMaxDevices` says. */
  readonly maxDevices?: number | null;
  readonly origin: RequestOrigin;
}

/**
 * A command that runs later or again and again, with the rights that its creator has each time. Checked as a run of now
 * would be. What destroys runs later only on the very devices that were confirmed.
 *
 * @throws PortalError as `runCommand`; 2004 when it would never run, would destroy on a set that may change, or may reach
 *   fewer devices than it does now
 */
export async function createSchedule(
  deps: CommandsDeps,
  viewer: Viewer,
  input: CreateSchedule,
): Promise<Schedule> {
  const resolved = await resolveCommand(deps.database.orm, input.command, input.document);
  requireRight(viewer, resolved);
  await requireAllActive(deps.database.orm, resolved);
  if (input.target === null || isEmptyTarget(input.target)) {
    throw new PortalError('commandHasNoDevice');
  }
  requireFrozen(resolved, input.freeze);
  const { document } = resolved;
  const values = validateParameters(document.parsed.parameters ?? {}, input.parameters);
  const now = deps.clock();
  const [nextAt] = nextTimes(input.times, { after: now, count: 1 });
  if (nextAt === undefined) {
    throw refuse('schedule-in-past', { field: 'times' });
  }
  const { target, agreement } = input;
  await inTransaction(deps.database, async (tx) => {
    const existing = sql`
      select from run_schedule where created_by_id = ${viewer.userId} and id <> ${input.id}`;
    await requireRoom(tx, { limit: 'schedules', of: viewer.userId, existing });
    const frozen = await freezeTarget(tx, viewer, {
      resolved,
      target,
      agreement,
      now,
      write: null,
      idLimit: input.freeze ? ALL : 0,
    });
    await requireAgreed(tx, viewer, { agreement, frozen });
    const { consequence } = resolved;
    const rule = await findRunRule(tx, consequence);
    guardRun(rule, { consequence, count: frozen.count, agreement });
    requireConfirmation(resolved.consequence, frozen, input.confirmation);
    const { deviceIds } = frozen;
    const bond = await findElevationBehind(
      tx,
      viewer,
      wherever(viewer, permissionsToRun(resolved)),
    );
    requireBeforeEnd(nextAt, bond);
    const kept: CommandTarget = input.freeze
      ? { kind: 'devices', deviceIds: [...deviceIds] }
      : target;
    const schedule = {
      ...input,
      target: kept,
      frozenCount: input.freeze ? frozen.count : null,
      maxDevices: maxDevicesOf(input, frozen),
      createdById: viewer.userId,
      createdBy: viewer.username,
      createdBySubject: viewer.subject,
      bond,
    };
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
        by: { id: viewer.userId, name: viewer.username },
        at: now,
      }),
    });
    if (!isNew) return;
    await recordAudit(tx, [
      {
        type: 'schedule.created',
        actor: actorOf(viewer, input.origin),
        requestId: input.origin.requestId,
        data: {
          scheduleId: input.id,
          schedule: input.name,
          command: resolved.command,
          document: `${document.name}:${document.version}`,
          targets: frozen.count,
          frozen: input.freeze,
          maxDevices: schedule.maxDevices,
          times: input.times,
          ...(bond && { elevationId: bond.elevationId }),
        },
      },
    ]);
  });
  return getSchedule(deps, viewer, input.id);
}

function requireBeforeEnd(nextAt: Date, bond: ElevationBond | null): void {
  if (earlier(nextAt, bond) === nextAt) return;
  throw refuse('schedule-after-access', { field: 'times' });
}

/** More than there can be. */
const ALL = 2 ** 31 - 1;

/** @throws PortalError 2004 when it may not even reach the devices of now */
function maxDevicesOf(input: CreateSchedule, { count }: FrozenTarget): number {
  if (input.freeze) return count;
  const maxDevices = input.maxDevices ?? defaultMaxDevices(count);
  if (maxDevices >= count) return maxDevices;
  throw refuse('schedule-max-devices-low', {
    field: 'maxDevices',
    facts: { devices: count },
  });
}

function requireFrozen({ consequence }: ResolvedCommand, freeze: boolean): void {
  if (consequence !== 'destroys' || freeze) return;
  throw refuse('schedule-must-be-fixed', { field: 'freeze' });
}
