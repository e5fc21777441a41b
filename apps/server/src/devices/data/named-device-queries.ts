import { and, eq, getTableName, like, sql, type SQL } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import type { DeviceFilter } from '@deviceportal/contract/devices';
import { builtOnce } from '../../platform/database/built-once.ts';
import type { Executor } from '../../platform/database/database.ts';
import { sampleOf } from '../../platform/database/estimate-rows.ts';
import { likeLiteral } from '../../platform/database/like-literal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { device, deviceInstance } from './devices-tables.ts';
import { reachedBy } from './find-devices.ts';
import { idArrayParam, textArrayParam } from './search/device-predicate.ts';
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

const { hostName, ipAddress, state } = deviceInstance;
const isCurrent = eq(state, sql`'current'`);

const byWholeName = builtOnce((on) =>
  unionAll(
    on
      .select({ id: device.id })
      .from(device)
      .where(eq(device.serialNumber, sql.placeholder('serialNumber'))),
    on
      .select({ id: deviceInstance.deviceId })
      .from(deviceInstance)
      .where(and(isCurrent, sql`lower(${hostName}) = ${sql.placeholder('hostName')}`))
      .limit(MAX_OF_ONE_NAME),
  ).prepare('devices-by-whole-name'),
);

/**
 * Devices within the viewer's scope that a text identifies, with one index look-up per kind of identifier. Most texts
 * identify none, so that the scope is checked by a statement of its own.
 */
export async function idsNamedExactly(
  on: Executor,
  viewer: Viewer,
  { text, limit }: { readonly text: string; readonly limit: number },
): Promise<string[]> {
  const [named, others] = await Promise.all([
    byWholeName(on).execute({ serialNumber: text.toUpperCase(), hostName: text.toLowerCase() }),
    byIdentifier(on, text),
  ]);
  const ids = [...named, ...others].map(({ id }) => id);
  if (ids.length === 0) return [];
  return within(on, viewer, sql`unnest(${idArrayParam(ids)})`, limit);
}

/** By ID, by instance, or by IP address or its beginning, if the text has that shape. */
async function byIdentifier(on: Executor, text: string): Promise<{ id: string }[]> {
  const instances = (where: SQL | undefined) =>
    on.select({ id: deviceInstance.deviceId }).from(deviceInstance).where(where);
  if (uuidShape.test(text)) {
    return on.select({ id: device.id }).from(device).where(eq(device.id, text));
  }
  if (instanceShape.test(text)) return instances(eq(deviceInstance.id, text.toLowerCase()));
  if (!addressShape.test(text)) return [];
  const address = text.toLowerCase();
  return instances(and(isCurrent, like(ipAddress, `${likeLiteral(address)}%`)))
    .orderBy(sql`${ipAddress} <> ${address}`, ipAddress)
    .limit(MAX_OF_ONE_NAME);
}

/** Devices within the viewer's scope with one of these serial numbers, in the given order. */
export async function idsBySerialNumbers(
  on: Executor,
  viewer: Viewer,
  { serialNumbers, limit }: { readonly serialNumbers: readonly string[]; readonly limit: number },
): Promise<string[]> {
  const wanted = textArrayParam(serialNumbers);
  const { id, serialNumber } = device;
  // A subquery, because the planner examines each of hundreds of constants.
  const found = sql`(select ${id} from ${device} where ${serialNumber} = any((select ${wanted})::text[])
    order by array_position(${wanted}, ${serialNumber}))`;
  return within(on, viewer, found, limit);
}

/** Devices within the viewer's scope that have one of these host names now. */
export async function idsByHostNames(
  on: Executor,
  viewer: Viewer,
  { names, limit }: { readonly names: readonly string[]; readonly limit: number },
): Promise<string[]> {
  const { deviceId } = deviceInstance;
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
    .from(sql`${found} found(id)`)
    .innerJoin(d, eq(d.id, sql`found.id`))
    .where(reachedBy(scopePredicate(viewer.grants, ['devices:read'])))
    .limit(limit);
  return [...new Set(rows.map(({ id }) => id))];
}
