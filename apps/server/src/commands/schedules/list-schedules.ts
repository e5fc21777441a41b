import { setImmediate } from 'node:timers/promises';
import { sql, type SQL } from 'drizzle-orm';
import { PortalError } from '@deviceportal/contract/errors';
import { holds, scopesOf } from '@deviceportal/contract/permissions';
import type { Schedule } from '@deviceportal/contract/schedules';
import { isEverywhere } from '../../devices/device-scope-condition.ts';
import { maskUser } from '../../people/mask-person.ts';
import { isoOf, isoOrNull } from '../../platform/moment-cursor.ts';
import type { Viewer } from '../../platform/viewer.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { isSigned } from '../signing/authorization.ts';
import { selectSchedules, type StoredSchedule } from './schedule-store.ts';
import { upcomingTimes } from './upcoming-times.ts';

const MOST_SCHEDULES = 500;
/** Then other requests get their turn. */
const AT_ONCE_MS = 20;

/** One's own schedules, and everybody's for whom sees commands on all devices; the next to run first. */
export async function listSchedules(
  deps: CommandsDeps,
  viewer: Viewer,
): Promise<readonly Schedule[]> {
  const found = await selectSchedules(deps.database.orm, {
    where: scheduleSight(viewer),
    withTarget: false,
    limit: MOST_SCHEDULES,
  });
  const schedules: Schedule[] = [];
  let sinceMs = performance.now();
  for (const one of found) {
    schedules.push(toSchedule(deps, viewer, one));
    if (performance.now() - sinceMs < AT_ONCE_MS) continue;
    await setImmediate();
    sinceMs = performance.now();
  }
  return schedules;
}

/** @throws PortalError 2003 when there is none that the viewer sees */
export async function getSchedule(
  deps: CommandsDeps,
  viewer: Viewer,
  id: string,
): Promise<Schedule> {
  const [found] = await selectSchedules(deps.database.orm, {
    where: sql`id = ${id} and ${scheduleSight(viewer)}`,
    withTarget: false,
    limit: 1,
  });
  if (found === undefined) throw new PortalError('notFound', { facts: { scheduleId: id } });
  return toSchedule(deps, viewer, found);
}

/** Which schedules a viewer sees: the rows of `run_schedule`. */
export function scheduleSight(viewer: Viewer): SQL {
  const seesAll = scopesOf(viewer.grants, ['commands:read']).some(isEverywhere);
  return seesAll ? sql`true` : sql`created_by_id = ${viewer.userId}`;
}

function toSchedule(deps: CommandsDeps, viewer: Viewer, one: StoredSchedule): Schedule {
  const soon =
    one.state === 'active' && one.nextAt !== null
      ? upcomingTimes(one.times, new Date(one.nextAt))
      : [];
  return {
    id: one.id,
    name: one.name,
    command: one.command,
    documentName: one.documentName,
    documentVersion: one.documentVersion,
    consequence: one.consequence,
    parameters: one.maskedParameters,
    times: one.times,
    missed: one.missed,
    state: one.state,
    frozenCount: one.frozenCount,
    maxDevices: one.maxDevices,
    exceedingCount: one.exceedingCount,
    signed: isSigned(deps, one.authorization),
    nextTimes: soon,
    lastAt: isoOrNull(one.lastAt),
    lastRunId: one.lastRunId,
    lastError: one.lastError,
    createdBy: maskUser(one.createdBy, viewer),
    createdAt: isoOf(one.createdAt),
    changeable: one.createdById === viewer.userId || holds(viewer.grants, 'access:manage'),
    bond: one.bond,
  };
}
