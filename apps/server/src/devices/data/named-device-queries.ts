import { and, eq, getTableName, like, sql, type SQL } from 'drizzle-orm';
import type { DeviceFilter } from '@deviceportal/contract/devices';
import type { Executor } from '../../platform/database/database.ts';
import { sampleOf } from '../../platform/database/estimate-rows.ts';
import { likeLiteral } from '../../platform/database/like-literal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { device, deviceInstance } from './devices-tables.ts';
import { reachedBy } from './find-devices.ts';
import { textArrayParam } from './search/device-predicate.ts';
import { filterConditions } from './search/filter-conditions.ts';
import { every } from './search/predicate-forms.ts';
import { scopePredicate } from './search/scope-predicate.ts';
import { d } from './search/search-rows.ts';

const uuidShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const instanceShape = /^mi-[0-9a-f]{17}$/i;
/** An IPv4 or IPv6 address, or a prefix with at least two of its parts. */
const addressShape = /^(\d{1,3}(\.\d{1,3}){1,3}\.?|[0-9a-f]{0,4}(:[0-9a-f]{0,4}){2,7})$/i;
/** Limit, because all devices installed from an image can have the same host name. */
const MAX_OF_ONE_NAME = 500;
/** Number of rows that are checked if a large share of the fleet matches. */
const SCATTERED = 4_000;

/** Devices within the viewer's scope that a text identifies, with one index look-up per kind of identifier. */
export async function idsNamedExactly(
  on: Executor,
  viewer: Viewer,
  { text, limit }: { readonly text: string; readonly limit: number },
): Promise<string[]> {
  const { hostName, ipAddress, state } = deviceInstance;
  const isCurrent = eq(state, sql`'current'`);
  const devices = (where: SQL) => on.select({ id: device.id }).from(device).where(where);
  const instances = (where: SQL | undefined) =>
    on.select({ id: deviceInstance.deviceId }).from(deviceInstance).where(where);
  const ways: SQL[] = [
    sql`${devices(eq(device.serialNumber, text.toUpperCase()))}`,
    sql`${instances(and(isCurrent, sql`lower(${hostName}) = ${text.toLowerCase()}`)).limit(MAX_OF_ONE_NAME)}`,
  ];
  if (uuidShape.test(text)) ways.push(sql`${devices(eq(device.id, text))}`);
  if (instanceShape.test(text)) {
    ways.push(sql`${instances(eq(deviceInstance.id, text.toLowerCase()))}`);
  }
  if (addressShape.test(text)) {
    const address = text.toLowerCase();
    ways.push(
      sql`${instances(and(isCurrent, like(ipAddress, `${likeLiteral(address)}%`)))
        .orderBy(sql`${ipAddress} <> ${address}`, ipAddress)
        .limit(MAX_OF_ONE_NAME)}`,
    );
  }
  const found = sql.join(
    ways.map((way) => sql`(select found.* from ${way} found(id))`),
    sql` union all `,
  );
  return within(on, viewer, sql`(${found})`, limit);
}

/** Devices within the viewer's scope with one of these serial numbers, in the given order. */
export async function idsBySerialNumbers(
  on: Executor,
  viewer: Viewer,
  { serialNumbers, limit }: { readonly serialNumbers: readonly string[]; readonly limit: number },
): Promise<string[]> {
  const wanted = textArrayParam(serialNumbers);
  const { id, serialNumber } = device;
  const found = sql`(select ${id} from ${device} where ${serialNumber} = any(${wanted})
    order by array_position(${wanted}, ${serialNumber}))`;
  return within(on, viewer, found, limit);
}

/** Devices within the viewer's scope that have one of these host names now. */
export async function idsByHostNames(
  on: Executor,
  viewer: Viewer,
  { names, limit }: { readonly names: readonly string[]; readonly limit: number },
): Promise<string[]> {
  const { deviceId, hostName, state } = deviceInstance;
  const wanted = textArrayParam(names.map((name) => name.toLowerCase()));
  const found = sql`(select ${deviceId} as id from ${deviceInstance}
    where ${state} = 'current' and lower(${hostName}) = any(${wanted}) limit ${MAX_OF_ONE_NAME})`;
  return within(on, viewer, found, limit);
}

/**
 * Some of the many devices that match a filter. Only for filters that a large share of the fleet matches, because only
 * some rows are checked.
 */
export async function idsScattered(
  on: Executor,
  viewer: Viewer,
  wanted: { readonly filter: DeviceFilter; readonly now: Date; readonly limit: number },
): Promise<string[]> {
  const conditions = await filterConditions(on, viewer, wanted);
  const sample = await sampleOf(on, getTableName(device), SCATTERED);
  const rows = await on
    .select({ id: sql<string>`${d.id}` })
    .from(sql`${device} ${d} ${sample}`)
    .where(every(conditions))
    .limit(wanted.limit);
  return rows.map(({ id }) => id);
}

async function within(on: Executor, viewer: Viewer, found: SQL, limit: number): Promise<string[]> {
  const rows = await on
    .select({ id: d.id })
    .from(sql`${found} found`)
    .innerJoin(d, eq(d.id, sql`found.id`))
    .where(reachedBy(scopePredicate(viewer.grants, ['devices:read'])))
    .limit(limit);
  return [...new Set(rows.map(({ id }) => id))];
}
