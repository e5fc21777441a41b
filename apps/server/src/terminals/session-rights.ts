import { findDeviceWithin } from '../devices/data/find-devices.ts';
import { findTerminalOffer } from '../devices/data/connections/terminal-offers.ts';
import type { Database } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { findConsentRule } from './data/consent-queries.ts';
import type { TerminalRow } from './data/terminal-queries.ts';

/** The user of a WebSocket now. Rejects if the token is not valid, or its sign-in has ended. */
export type FindViewer = () => Promise<Viewer>;

type Holding = Pick<TerminalRow, 'userId' | 'signInId' | 'deviceId'>;

/** The same user and sign-in, with the permission for this device. */
export async function isHeldBy(
  { orm }: Pick<Database, 'orm'>,
  { userId, signInId, deviceId }: Holding,
  findViewer: FindViewer,
): Promise<boolean> {
  const viewer = await findViewer().catch(() => undefined);
  if (viewer === undefined || viewer.userId !== userId) return false;
  if ((viewer.signInId ?? null) !== signInId) return false;
  return (await findDeviceWithin(orm, viewer, ['terminal:open'], { id: deviceId })) !== undefined;
}

/** The same for a device that is served and allows terminals. */
export async function isUsableBy(
  database: Pick<Database, 'orm'>,
  session: Holding,
  findViewer: FindViewer,
): Promise<boolean> {
  if (!(await isHeldBy(database, session, findViewer))) return false;
  const { orm } = database;
  const { isServed, model } = await findTerminalOffer(orm, session.deviceId);
  return isServed && (await findConsentRule(orm, model)) !== 'forbidden';
}

/** The user, if the permission covers this device, which is served. */
export async function findWatcher(
  { orm }: Pick<Database, 'orm'>,
  { deviceId }: Pick<TerminalRow, 'deviceId'>,
  findViewer: FindViewer,
): Promise<Viewer | undefined> {
  const viewer = await findViewer().catch(() => undefined);
  if (viewer === undefined || viewer.service !== undefined) return undefined;
  const id = await findDeviceWithin(orm, viewer, ['terminal:watch'], { id: deviceId });
  if (id === undefined) return undefined;
  return (await findTerminalOffer(orm, deviceId)).isServed ? viewer : undefined;
}
