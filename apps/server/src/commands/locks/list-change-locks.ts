import type { ChangeLock } from '@deviceportal/contract/change-locks';
import { findDevice } from '../../devices/find-device.ts';
import { maskUser } from '../../people/mask-person.ts';
import { isoOf } from '../../platform/moment-cursor.ts';
import type { Viewer } from '../../platform/viewer.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { listLocksOf } from '../data/change-lock-queries.ts';

/**
 * The change locks of a device: holders, and the current step of their command.
 *
 * @throws PortalError 6000 for a device that the viewer cannot see
 */
export async function listChangeLocks(
  { database }: Pick<CommandsDeps, 'database'>,
  viewer: Viewer,
  { deviceId }: { readonly deviceId: string },
): Promise<ChangeLock[]> {
  const wanted = { reference: deviceId, permissions: ['commands:read' as const] };
  const id = await findDevice(database.orm, viewer, wanted);
  const locks = await listLocksOf(database.orm, id);
  return locks.map(({ holderId, steps, since, expiresAt, holder, ...lock }) => ({
    ...lock,
    holder: maskUser(holder, viewer),
    own: holderId === viewer.userId,
    since: isoOf(since),
    expiresAt: isoOf(expiresAt),
    step: (steps.find(({ state }) => state === 'InProgress') ?? steps.at(-1))?.name ?? null,
  }));
}
