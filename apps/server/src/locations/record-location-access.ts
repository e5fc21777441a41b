import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import { upsertLocationAccess } from './data/location-access-queries.ts';

/**
 * Records that a user accesses precise locations of devices: once for each access, no matter how often its screen
 * refreshes.
 */
export async function recordLocationAccess(
  tx: Transaction,
  caller: Caller,
  look: { readonly deviceIds: readonly string[]; readonly data: Readonly<Record<string, unknown>> },
): Promise<void> {
  if (look.deviceIds.length === 0) return;
  const fresh = await upsertLocationAccess(tx, caller.viewer.userId, look.deviceIds);
  const actor = actorOf(caller.viewer, caller);
  await recordAudit(
    tx,
    fresh.map((deviceId) => ({
      type: 'device.location-viewed' as const,
      actor,
      deviceId,
      requestId: caller.requestId,
      data: look.data,
    })),
  );
}
