import type { RunWait, WaitsBehindInput } from '@deviceportal/contract/change-locks';
import { scopesOf } from '@deviceportal/contract/permissions';
import { maskUser } from '../../people/mask-person.ts';
import type { Viewer } from '../../platform/viewer.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { findQueuedBehind } from '../data/change-lock-queries.ts';

/**
 * Behind which changes of other users runs are queued, by how many of their devices: a schedule, a stage of an AirBlast
 * rollout, an undo, or any other run. A run that is queued behind none, only reads or is out of sight is absent, and
 * devices out of sight do not count.
 */
export async function waitsBehind(
  { database }: Pick<CommandsDeps, 'database'>,
  viewer: Viewer,
  { runIds, deviceId }: WaitsBehindInput,
): Promise<RunWait[]> {
  const scopes = scopesOf(viewer.grants, ['commands:read']);
  const found = await findQueuedBehind(database.orm, { scopes, runIds, deviceId });
  return [...Map.groupBy(found, ({ waits }) => waits)].map(([runId, runs]) => ({
    runId,
    behind: runs.map(({ waits: _waits, ...busy }) => ({
      ...busy,
      holder: maskUser(busy.holder, viewer),
    })),
  }));
}
