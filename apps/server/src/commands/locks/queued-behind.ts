import type { RunWait, WaitsBehindInput } from '@deviceportal/contract/change-locks';
import { scopesOf } from '@deviceportal/contract/permissions';
import { maskUser } from '../../people/mask-person.ts';
import type { Viewer } from '../../platform/viewer.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { findQueuedBehind } from '../data/change-lock-queries.ts';

/**
 * Changes of other users that runs are queued behind, with the number of blocked devices: a schedule, a stage of an
 * AirBlast rollout, an undo, or another run. Runs that are not queued, only read, or are out of scope are absent, and
 * devices out of scope do not count.
 */
export async function findQueuedBehindOf(
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
