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
  /** Digest of what was shown; required for a schedule without a signature. */
  readonly shownSha256: string | null;
  /** The new limit; null for no change. */
  readonly maxDevices: number | null;
  readonly at: Date;
  readonly origin: RequestOrigin;
}

/**
 * Signs a schedule for a user who can permanently run it themselves: as authorized before, except for its limit; or as
 * shown, if it has no signature or one of a revoked key. A destructive schedule is not signed without a confirmation of
 * the devices; it must be created again.
 *
 * @throws PortalError 2003; 1000; 2004 if it is destructive without a signature, or differs from what was authorized
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
