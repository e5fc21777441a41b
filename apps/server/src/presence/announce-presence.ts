import type { PresentPerson } from '@deviceportal/contract/presence';
import { findDevice } from '../devices/find-device.ts';
import { maskUser } from '../people/mask-person.ts';
import type { Database } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { deletePresence, findOthersPresent, upsertPresence } from './data/presence-queries.ts';

/**
 * Records that the viewer has opened or left a device.
 * @returns the other viewers of the device
 * @throws PortalError 6000 for a device outside the viewer's scope
 */
export async function announcePresence(
  { database: { orm } }: { readonly database: Pick<Database, 'orm'> },
  viewer: Viewer,
  { deviceId: reference, leaving }: { readonly deviceId: string; readonly leaving: boolean },
): Promise<PresentPerson[]> {
  const deviceId = await findDevice(orm, viewer, { reference, permissions: ['devices:read'] });
  const presence = { deviceId, userId: viewer.userId };
  if (leaving) {
    await deletePresence(orm, presence);
    return [];
  }
  await upsertPresence(orm, presence);
  const others = await findOthersPresent(orm, presence);
  return others.map(({ userId, username, role, since }) => ({
    userId,
    name: maskUser(username, viewer),
    role,
    since: since.toISOString(),
  }));
}
