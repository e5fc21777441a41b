import { sql } from 'drizzle-orm';
import type { DevicePlace } from '@deviceportal/contract/devices';
import { scopesOf } from '@deviceportal/contract/permissions';
import { deviceScopeCondition } from '../devices/device-scope-condition.ts';
import { findDevice } from '../devices/find-device.ts';
import { inTransaction, type Database, type Transaction } from '../platform/database/database.ts';
import { isoOf } from '../platform/moment-cursor.ts';
import type { Caller } from '../platform/viewer.ts';
import { placeFor, type PlaceRecord } from './place-for.ts';
import { recordLooks } from './record-looks.ts';

/** Where a device was, newest first. A precise look is recorded before anything is shown. */
export async function trackDevice(
  deps: { readonly database: Database },
  caller: Caller,
  input: { readonly deviceId: string; readonly limit: number; readonly rounded?: boolean },
): Promise<readonly DevicePlace[]> {
  const { viewer } = caller;
  const id = await findDevice(deps.database.orm, viewer, {
    reference: input.deviceId,
    permissions: ['locations:read'],
  });
  return inTransaction(deps.database, async (tx) => {
    const precise = input.rounded !== true && (await maySeePrecisely(tx, caller, id));
    const found = await tx.execute<PlaceRecord & Record<string, unknown>>(sql`
      select at, latitude, longitude, accuracy_meters as "accuracyMeters", source, country
      from geolocation where device_id = ${id} order by at desc, id desc limit ${input.limit}`);
    if (precise && found.rows.length > 0) {
      await recordLooks(tx, caller, { deviceIds: [id], data: { positions: found.rows.length } });
    }
    return found.rows.map((row) => placeFor({ ...row, at: isoOf(row.at) }, precise));
  });
}

async function maySeePrecisely(tx: Transaction, caller: Caller, id: string): Promise<boolean> {
  const reached = deviceScopeCondition(scopesOf(caller.viewer.grants, ['locations:read-precise']));
  const found = await tx.execute(sql`select from device d where d.id = ${id} and ${reached}`);
  return found.rows.length > 0;
}
