import type { PortalError } from '@deviceportal/contract/errors';
import { refuse } from '@deviceportal/contract/refuse';
import type { RequestOrigin, Viewer } from '../../platform/viewer.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { authorize, findMismatch, isSigned, type Authorization } from '../signing/authorization.ts';
import { AuthorizationMismatchError } from '../signing/authorization-mismatch-error.ts';
import { refuseMismatch } from '../signing/refuse-mismatch.ts';
import { openSchedule } from './open-schedule.ts';
import { authorizedSchedule } from './schedule-authorization.ts';
import { requireShown } from './shown-authorization.ts';

export interface SignSchedule {
  readonly id: string;
  /** Of what the person was shown; one that has no signature is signed only so. */
  readonly shownSha256: string | null;
  /** The new limit; null leaves it as it is. */
  readonly maxDevices: number | null;
  readonly at: Date;
  readonly origin: RequestOrigin;
}

/**
 * What a schedule runs, signed by a person who may run it themselves, lastingly: as it was authorized before but for
 * its limit, or as it was shown where it has no signature, or only one of a key that was withdrawn. One that destroys is not signed without the devices being
 * confirmed: it is created anew.
 *
 * @throws PortalError 2003; 1000; 2004 where it destroys and has no signature, or is not what was authorized
 */
export async function signSchedule(
  deps: CommandsDeps,
  viewer: Viewer,
  { id, shownSha256, maxDevices, at, origin }: SignSchedule,
): Promise<Authorization> {
  const schedule = await openSchedule(deps, viewer, id);
  const { stored, resolved } = schedule;
  const signed = isSigned(deps, stored.authorization);
  if (!signed && resolved.consequence === 'destroys') throw destroys();
  if (!signed) requireShown(schedule, shownSha256);
  return refuseMismatch(
    deps,
    { kind: 'schedule', id, name: stored.name, request: { viewer, origin } },
    async () => {
      const values = schedule.values();
      if (signed) {
        const facts = authorizedSchedule(stored, resolved, values);
        const mismatch = findMismatch(deps, stored.authorization, facts);
        if (mismatch !== null) throw new AuthorizationMismatchError(mismatch);
      }
      const covered = { ...stored, maxDevices: maxDevices ?? stored.maxDevices };
      return authorize(deps, authorizedSchedule(covered, resolved, values), {
        by: { id: viewer.userId },
        at,
      });
    },
  );
}

const destroys = (): PortalError => refuse('schedule-destroys', { field: 'sign' });
