import { sql } from 'drizzle-orm';
import { PortalError } from '@deviceportal/contract/errors';
import { requireLasting, wherever } from '../../access/elevations/find-elevation-behind.ts';
import type { RequestOrigin, Viewer } from '../../platform/viewer.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import type { ParameterValues } from '../parameter-vault.ts';
import { resolveCommand } from '../resolve-command.ts';
import { requireRight } from '../run-command.ts';
import { permissionsToRun } from '../run-policy.ts';
import { authorize, findMismatch, isSigned, type Authorization } from '../signing/authorization.ts';
import { AuthorizationMismatchError } from '../signing/authorization-mismatch-error.ts';
import { refuseMismatch } from '../signing/refuse-mismatch.ts';
import { validateParameters } from '../validate-parameters.ts';
import { authorizedSchedule } from './schedule-authorization.ts';
import { selectSchedules, type StoredSchedule } from './schedule-store.ts';

export interface SignSchedule {
  readonly id: string;
  /** The new limit; null leaves it as it is. */
  readonly maxDevices: number | null;
  readonly at: Date;
  readonly origin: RequestOrigin;
}

/**
 * What a schedule runs, signed by a person who may run it themselves, lastingly: as it was authorized before but for
 * its limit, or as it is where it has no signature, or only one of a key that was withdrawn. One that destroys is not signed without the devices being
 * confirmed: it is created anew.
 *
 * @throws PortalError 2003; 1000; 2004 where it destroys and has no signature, or is not what was authorized
 */
export async function signSchedule(
  deps: CommandsDeps,
  viewer: Viewer,
  { id, maxDevices, at, origin }: SignSchedule,
): Promise<Authorization> {
  const [stored] = await selectSchedules(deps.database.orm, {
    where: sql`id = ${id}`,
    withTarget: true,
    limit: 1,
  });
  if (stored === undefined) throw new PortalError('notFound', { facts: { scheduleId: id } });
  const reference = `${stored.documentName}:${stored.documentVersion}`;
  const resolved = await resolveCommand(deps.database.orm, stored.command, reference);
  requireRight(viewer, resolved);
  if (stored.bond === null) requireLasting(viewer, wherever(viewer, permissionsToRun(resolved)));
  const signed = isSigned(deps, stored.authorization);
  if (!signed && resolved.consequence === 'destroys') throw destroys();
  return refuseMismatch(
    deps,
    { kind: 'schedule', id, name: stored.name, request: { viewer, origin } },
    async () => {
      const { parameters = {} } = resolved.document.parsed;
      const values = validateParameters(parameters, { ...openParameters(deps, stored) });
      if (signed) {
        const facts = authorizedSchedule(stored, resolved, values);
        const mismatch = findMismatch(deps, stored.authorization, facts);
        if (mismatch !== null) throw new AuthorizationMismatchError(mismatch);
      }
      const covered = { ...stored, maxDevices: maxDevices ?? stored.maxDevices };
      return authorize(deps, authorizedSchedule(covered, resolved, values), {
        by: { id: viewer.userId, name: viewer.username },
        at,
      });
    },
  );
}

/** @throws AuthorizationMismatchError where sealed values were changed */
export function openParameters(
  { vault }: Pick<CommandsDeps, 'vault'>,
  { id, parameters }: Pick<StoredSchedule, 'id' | 'parameters'>,
): ParameterValues {
  try {
    return vault.open(id, parameters);
  } catch {
    throw new AuthorizationMismatchError({ fault: 'changed', changed: ['parameters'] });
  }
}

const destroys = (): PortalError =>
  new PortalError('invalidParameters', {
    message:
      'What destroys is signed only for devices that were confirmed. Delete this schedule and create it again.',
    issues: [{ path: ['sign'], message: 'what destroys is created anew' }],
  });
