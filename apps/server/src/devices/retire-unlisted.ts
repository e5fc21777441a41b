import { recordAudit, systemActor } from '../audit-trail/record-audit.ts';
import type { Change } from '../platform/change-feed.ts';
import type { Transaction } from '../platform/database/database.ts';
import { lockLifecycle, updateLifecycle } from './data/device-queries.ts';
import { endCurrentInstance, updateRunningInstance } from './data/instance-queries.ts';
import { refreshDeviceCopies } from './data/refresh-device-copies.ts';

/**
 * Retires a device whose managed instance no longer exists. Returns the changes to publish after commit; none if it is
 * retired already.
 */
export async function retireUnlisted(tx: Transaction, id: string): Promise<Change[]> {
  const held = await lockLifecycle(tx, id);
  if (held === undefined || held.lifecycle === 'retired') return [];
  await updateLifecycle(tx, id, 'retired');
  await refreshDeviceCopies(tx, [id]);
  await endCurrentInstance(tx, id, 'revoked');
  await updateRunningInstance(tx, id, { instanceId: null });
  await recordAudit(tx, [
    {
      type: 'device.retired',
      actor: systemActor,
      deviceId: id,
      data: { before: held.lifecycle, after: 'retired', reason: 'not-managed' },
    },
  ]);
  const deviceIds = [id];
  return [
    { kind: 'device-changed', deviceIds },
    { kind: 'audit-trail', deviceIds },
  ];
}
