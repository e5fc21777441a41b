import type { ScheduleToSign } from '@deviceportal/contract/schedules';
import { maskUser } from '../../people/mask-person.ts';
import type { RequestOrigin, Viewer } from '../../platform/viewer.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { effectDocument } from '../effect/effect-document.ts';
import { maskParameters } from '../parameters/parameter-vault.ts';
import { previewTarget } from '../target/preview-target.ts';
import { refuseMismatch } from '../signing/refuse-mismatch.ts';
import { requireChangeable } from './change-schedule.ts';
import { getSchedule } from './list-schedules.ts';
import { openSchedule, type OpenSchedule } from './open-schedule.ts';
import { shownAuthorization } from './shown-authorization.ts';

/**
 * All facts that a signature of a schedule covers, and its current number of devices.
 *
 * @throws PortalError 2003, 1000; AuthorizationMismatchError if encrypted values were changed
 */
export async function showScheduleToSign(
  deps: CommandsDeps,
  viewer: Viewer,
  { id, origin }: { readonly id: string; readonly origin: RequestOrigin },
): Promise<ScheduleToSign> {
  requireChangeable(await getSchedule(deps, viewer, id));
  const schedule = await openSchedule(deps, viewer, id);
  const { name } = schedule.stored;
  return refuseMismatch(deps, { kind: 'schedule', id, name, request: { viewer, origin } }, () =>
    show(deps, viewer, schedule),
  );
}

async function show(
  deps: CommandsDeps,
  viewer: Viewer,
  schedule: OpenSchedule,
): Promise<ScheduleToSign> {
  const { stored, resolved } = schedule;
  const { document } = resolved;
  const { target } = stored;
  const reach = await previewTarget(deps, viewer, {
    command: stored.command,
    document: `${document.name}:${document.version}`,
    target,
  });
  return {
    ...shownAuthorization(schedule),
    command: resolved.command,
    consequence: resolved.consequence,
    document: effectDocument(document),
    parameters: maskParameters(schedule.values(), document.secretParameters),
    filter: target.kind === 'filter' ? { ...target.filter } : null,
    devices: { count: reach.count, sample: reach.sample },
    frozenCount: stored.frozenCount,
    maxDevices: stored.maxDevices,
    maxConcurrency: stored.maxConcurrency,
    maxErrors: stored.maxErrors,
    timeoutSeconds: stored.timeoutSeconds,
    comment: stored.comment,
    times: stored.times,
    missed: stored.missed,
    createdBy: maskUser(stored.createdBy, viewer),
    bond: stored.bond,
  };
}
