import type { z } from 'zod';
import type { setPositionInput } from '@deviceportal/contract/locations';
import { toTenth } from '@deviceportal/contract/map-area';
import { refuse } from '@deviceportal/contract/refuse';
import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import { lockLifecycle } from '../devices/data/device-queries.ts';
import { findDevice } from '../devices/find-device.ts';
import type { ChangeFeed } from '../platform/change-feed.ts';
import { inTransaction, type Database, type Transaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import { applyPositions } from './apply-position.ts';

/** Sets the location of a device manually, until the device reports a position itself. */
export async function setPosition(
  deps: {
    readonly database: Database;
    readonly changes: ChangeFeed;
    readonly clock: () => Date;
  },
  caller: Caller,
  { deviceId, ...place }: z.infer<typeof setPositionInput>,
): Promise<void> {
  const { viewer } = caller;
  const id = await findDevice(deps.database.orm, viewer, {
    reference: deviceId,
    permissions: ['devices:manage'],
  });
  await inTransaction(deps.database, async (tx) => {
    await requireInService(tx, id);
    await applyPositions(tx, [{ ...place, deviceId: id, at: deps.clock(), source: 'manual' }]);
    await recordAudit(tx, [
      {
        type: 'device.location-set',
        actor: actorOf(viewer, caller),
        deviceId: id,
        requestId: caller.requestId,
        // Users who read the audit trail may be permitted to see rounded locations only.
        data: {
          latitude: toTenth(place.latitude),
          longitude: toTenth(place.longitude),
          country: place.country,
        },
      },
    ]);
  });
  deps.changes.publish([
    { kind: 'device-changed', deviceIds: [id] },
    { kind: 'audit-trail', deviceIds: [id] },
  ]);
}

async function requireInService(tx: Transaction, id: string): Promise<void> {
  const held = await lockLifecycle(tx, id);
  if (held?.lifecycle === 'retired') throw refuse('device-retired');
}
