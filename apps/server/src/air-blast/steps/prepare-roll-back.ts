import type { AirBlastRollBack } from '@deviceportal/contract/air-blast';
import { scopesOf } from '@deviceportal/contract/permissions';
import { refuse } from '@deviceportal/contract/refuse';
import { createTargetList } from '../../devices/list/target-lists.ts';
import type { Viewer } from '../../platform/viewer.ts';
import type { AirBlastDeps } from '../air-blast-deps.ts';
import { requireAirBlast } from '../change-progress.ts';
import { selectChangedDevices } from '../data/roll-back-queries.ts';

/**
 * Stores lists of the changed devices by their earlier version. A roll back is a new rollout on such a list. Nothing is
 * sent.
 *
 * @throws PortalError 2003; 2004 if no device has received the change
 */
export async function prepareRollBack(
  deps: AirBlastDeps,
  viewer: Viewer,
  id: string,
): Promise<AirBlastRollBack[]> {
  const run = await requireAirBlast(deps.database.orm, viewer, id);
  const scopes = scopesOf(viewer.grants, ['devices:read']);
  const groups = await selectChangedDevices(deps.database.orm, run, scopes);
  if (groups.length === 0) {
    throw refuse('nothing-to-roll-back', { facts: { reason: 'nothing-to-roll-back' } });
  }
  const prepared: AirBlastRollBack[] = [];
  for (const { version, serialNumbers } of groups) {
    const list = await createTargetList(deps, viewer, {
      name: `${run.name}: ${version ?? ''}`.slice(0, 128),
      text: serialNumbers.join('\n'),
    });
    prepared.push({ version, devices: serialNumbers.length, targetListId: list.id });
  }
  return prepared;
}
