import { setImmediate } from 'node:timers/promises';
import { PortalError } from '@deviceportal/contract/errors';
import { holds } from '@deviceportal/contract/permissions';
import type { Schedule } from '@deviceportal/contract/schedules';
import { maskUser } from '../../people/mask-person.ts';
import { isoOf, isoOrNull } from '../../platform/moment-cursor.ts';
import type { Viewer } from '../../platform/viewer.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { isSigned } from '../signing/authorization.ts';
import {
  findVisibleSchedule,
  listVisibleSchedules,
  type StoredSchedule,
} from '../data/schedule-queries.ts';
import { upcomingTimes } from './upcoming-times.ts';

const MAX_SCHEDULES = 500;
/** After this time, the event loop can serve other requests. */
const AT_ONCE_MS = 20;

/** The viewer's schedules, and with permission to see commands on all devices those of all users, next run first. */
export async function listSchedules(
  deps: CommandsDeps,
  viewer: Viewer,
): Promise<readonly Schedule[]> {
  const found = await listVisibleSchedules(deps.database.orm, viewer, MAX_SCHEDULES);
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

/** @throws PortalError 2003 if there is no such schedule visible to the viewer */
export async function getSchedule(
  deps: CommandsDeps,
  viewer: Viewer,
  id: string,
): Promise<Schedule> {
  const found = await findVisibleSchedule(deps.database.orm, viewer, id);
  if (found === undefined) throw new PortalError('notFound', { facts: { scheduleId: id } });
  return toSchedule(deps, viewer, found);
}

function toSchedule(deps: CommandsDeps, viewer: Viewer, one: StoredSchedule): Schedule {
  const soon =
    one.state === 'active' && one.nextAt !== null ? upcomingTimes(one.times, one.nextAt) : [];
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
