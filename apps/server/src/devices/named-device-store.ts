import { sql, type SQL } from 'drizzle-orm';
import type { DeviceFilter } from '@deviceportal/contract/devices';
import type { Executor } from '../platform/database/database.ts';
import { sampleOf } from '../platform/database/estimate-rows.ts';
import type { Viewer } from '../platform/viewer.ts';
import { likeLiteral } from '../platform/database/like-literal.ts';
import { textArrayParam } from './search/device-predicate.ts';
import { filterConditions } from './search/filter-conditions.ts';
import { every } from './search/predicate-forms.ts';
import { scopePredicate } from './search/scope-predicate.ts';

const uuidShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const instanceShape = /^mi-[0-9a-f]{17}$/i;
/** An address of either version, or the beginning of one with at least two of its parts. */
const addressShape = /^(\d{1,3}(\.\d{1,3}){1,3}\.?|[0-9a-f]{0,4}(:[0-9a-f]{0,4}){2,7})$/i;
/** A host name may be shared by a whole batch that came out of one image. */
const MOST_OF_ONE_NAME = 500;
/** Rows that are looked at where a great part of the fleet matches. */
const SCATTERED = 4_000;

/** Devices within the viewer's scope that a text names by itself: one look into an index for each way of naming. */
export async function idsNamedExactly(
  on: Executor,
  viewer: Viewer,
  { text, limit }: { readonly text: string; readonly limit: number },
): Promise<string[]> {
  const ways: SQL[] = [
    sql`select id from device where serial_number = ${text.toUpperCase()}`,
    sql`(select device_id as id from device_instance
         where state = 'current' and lower(host_name) = ${text.toLowerCase()} limit ${MOST_OF_ONE_NAME})`,
  ];
  if (uuidShape.test(text)) ways.push(sql`select id from device where id = ${text}::uuid`);
  if (instanceShape.test(text)) {
    ways.push(sql`select device_id as id from device_instance where id = ${text.toLowerCase()}`);
  }
  if (addressShape.test(text)) {
    const address = text.toLowerCase();
    ways.push(sql`(select device_id as id from device_instance
      where state = 'current' and ip_address like ${`${likeLiteral(address)}%`}
      order by ip_address <> ${address}, ip_address limit ${MOST_OF_ONE_NAME})`);
  }
  return within(on, viewer, sql`(${sql.join(ways, sql` union all `)})`, limit);
}

/** Devices within the viewer's scope with one of these serial numbers, in the order of the numbers. */
export async function idsBySerialNumbers(
  on: Executor,
  viewer: Viewer,
  { serialNumbers, limit }: { readonly serialNumbers: readonly string[]; readonly limit: number },
): Promise<string[]> {
  const wanted = textArrayParam(serialNumbers);
  const found = sql`(select id from device where serial_number = any(${wanted})
    order by array_position(${wanted}, serial_number))`;
  return within(on, viewer, found, limit);
}

/**
 * Some of the many devices that meet a filter. Only for filters that a fair share of the fleet meets: what is rare is
 * not among the few that are looked at.
 */
export async function idsScattered(
  on: Executor,
  viewer: Viewer,
  wanted: { readonly filter: DeviceFilter; readonly now: Date; readonly limit: number },
): Promise<string[]> {
  const conditions = await filterConditions(on, viewer, wanted);
  const { rows } = await on.execute<{ id: string }>(sql`
    select d.id from device d ${await sampleOf(on, 'device', SCATTERED)}
    where ${every(conditions)} limit ${wanted.limit}`);
  return rows.map(({ id }) => id);
}

async function within(on: Executor, viewer: Viewer, found: SQL, limit: number): Promise<string[]> {
  const scope = scopePredicate(viewer.grants, ['devices:read']);
  const { rows } = await on.execute<{ id: string }>(sql`
    select d.id from ${found} f join device d on d.id = f.id
    where ${scope?.where ?? sql`true`} limit ${limit}`);
  return [...new Set(rows.map(({ id }) => id))];
}
