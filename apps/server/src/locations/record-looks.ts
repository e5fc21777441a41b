import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import { noteLooks } from './data/look-queries.ts';

/** Records that a user looks at precise places of devices: once for each look, however often its screen asks again. */
export async function recordLooks(
  tx: Transaction,
  caller: Caller,
  look: { readonly deviceIds: readonly string[]; readonly data: Readonly<Record<string, unknown>> },
): Promise<void> {
  if (look.deviceIds.length === 0) return;
  const fresh = await noteLooks(tx, caller.viewer.userId, look.deviceIds);
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
