import { PortalError } from '@deviceportal/contract/errors';
import {
  requirePermanentGrant,
  wherever,
} from '../../access/access-grants/find-required-access-grant.ts';
import type { Viewer } from '../../platform/viewer.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import type { ParameterValues } from '../parameters/parameter-vault.ts';
import { resolveCommand, type ResolvedCommand } from '../catalog/resolve-command.ts';
import { requireRight } from '../run-command.ts';
import { permissionsToRun } from '../run-policy.ts';
import { AuthorizationMismatchError } from '../signing/authorization-mismatch-error.ts';
import { validateParameters } from '../parameters/validate-parameters.ts';
import { findSchedule, type StoredSchedule } from '../data/schedule-queries.ts';

export interface OpenSchedule {
  readonly stored: StoredSchedule;
  readonly resolved: ResolvedCommand;
  /** @throws AuthorizationMismatchError if encrypted values were changed; PortalError 2004 if values are not valid */
  readonly values: () => ParameterValues;
}

/**
 * The content of a schedule, for a user who can permanently run it themselves.
 *
 * @throws PortalError 2003, 1000
 */
export async function openSchedule(
  deps: Pick<CommandsDeps, 'database' | 'vault'>,
  viewer: Viewer,
  id: string,
): Promise<OpenSchedule> {
  const stored = await findSchedule(deps.database.orm, id);
  if (stored === undefined) throw new PortalError('notFound', { facts: { scheduleId: id } });
  const reference = `${stored.documentName}:${stored.documentVersion}`;
  const resolved = await resolveCommand(deps.database.orm, stored.command, reference);
  requireRight(viewer, resolved);
  if (stored.bond === null)
    requirePermanentGrant(viewer, wherever(viewer, permissionsToRun(resolved)));
  const { parameters = {} } = resolved.document.parsed;
  return {
    ...{ stored, resolved },
    values: () => validateParameters(parameters, { ...openParameters(deps, stored) }),
  };
}

/** @throws AuthorizationMismatchError if encrypted values were changed */
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
