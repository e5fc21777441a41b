import { sql } from 'drizzle-orm';
import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import { idArrayParam } from '../devices/data/search/device-predicate.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';

/** A screen that asks again within this time is still the same look. */
const LOOK_GOES_ON = "interval '10 minutes'";

/** Records who looks at precise places of devices: once for each look, however often its screen asks again. */
export async function recordLooks(
  tx: Transaction,
  caller: Caller,
  look: { readonly deviceIds: readonly string[]; readonly data: Readonly<Record<string, unknown>> },
): Promise<void> {
  if (look.deviceIds.length === 0) return;
  const ids = idArrayParam(look.deviceIds.toSorted());
  const { rows } = await tx.execute<{ id: string }>(sql`
    with going_on as materialized (
      select device_id from location_look where user_id = ${caller.viewer.userId} and device_id = any(${ids})
        and at > portal_now() - ${sql.raw(LOOK_GOES_ON)}),
    kept as (
      insert into location_look (user_id, device_id, at)
      select ${caller.viewer.userId}::uuid, i.id, portal_now() from unnest(${ids}) as i(id)
      on conflict (user_id, device_id) do update set at = excluded.at)
    select i.id from unnest(${ids}) as i(id) where not exists (select from going_on g where g.device_id = i.id)`);
  const actor = actorOf(caller.viewer, caller);
  await recordAudit(
    tx,
    rows.map(({ id }) => ({
      type: 'device.location-viewed' as const,
      actor,
      deviceId: id,
      requestId: caller.requestId,
      data: look.data,
    })),
  );
}
