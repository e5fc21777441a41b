import { and, eq, gt, isNull, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { deviceRecordsAs } from '../../devices/data/device-records.ts';
import { portalNow } from '../../platform/columns.ts';
import { legalHold, legalHoldSubject } from './legal-holds-tables.ts';

const build = new QueryBuilder();

/** Whether a hold stands. */
export const isStanding = and(
  isNull(legalHold.endedAt),
  or(isNull(legalHold.until), gt(legalHold.until, portalNow)),
) as SQL;

/** What a row is about, as columns or expressions of it. Text or UUID. */
export interface HeldColumns {
  readonly device?: SQLWrapper;
  readonly user?: SQLWrapper;
  readonly customer?: SQLWrapper;
  readonly at: SQLWrapper;
}

const isInRange = (first: SQLWrapper, last: SQLWrapper): SQL =>
  sql`coalesce(${last} >= ${legalHold.heldFrom}, true) and coalesce(${first} <= ${legalHold.heldTo}, true)`;

const covers = (kinds: SQL, id: SQLWrapper): SQL =>
  sql`exists (select from ${legalHoldSubject} where ${legalHoldSubject.holdId} = ${legalHold.id}
    and ${legalHoldSubject.kind} in (${kinds}) and ${legalHoldSubject.subjectId}::text = (${id})::text)`;

/** Whether a standing hold covers a row: it must not be deleted. */
export function isHeld({ device, user, customer, at }: HeldColumns): SQL {
  const subjects = [
    sql`not ${legalHold.isLimited}`,
    ...(device === undefined ? [] : [covers(sql`'device'`, device)]),
    ...(user === undefined ? [] : [covers(sql`'user'`, user)]),
    ...(customer === undefined ? [] : [covers(sql`'customer', 'owner'`, customer)]),
  ];
  return sql`exists (select from ${legalHold} where ${isStanding} and ${isInRange(at, at)}
    and (${sql.join(subjects, sql` or `)}))`;
}

/** Whether any standing hold reaches into a time range, for data that cannot be assigned to a subject. */
export const isRangeHeld = (first: SQLWrapper, last: SQLWrapper): SQL =>
  sql`exists (select from ${legalHold} where ${isStanding} and ${isInRange(first, last)})`;

/** Whether any hold stands. */
export const isAnythingHeld: SQL = sql`exists (select from ${legalHold} where ${isStanding})`;

const owned = deviceRecordsAs('owned_device');

/**
 * Whether a standing hold covers a person: the user, a customer, a device of the customers, or everything in a range.
 *
 * @param user ID of the user, or null
 * @param customers array of IDs
 */
export const coversPerson = (user: SQLWrapper, customers: SQLWrapper): SQL => {
  const { kind, subjectId, holdId } = legalHoldSubject;
  const devices = build
    .select({ id: owned.deviceId })
    .from(owned)
    .where(sql`${owned.ownerId} = any(${customers})`);
  return sql`(not ${legalHold.isLimited} or exists (select from ${legalHoldSubject}
    where ${eq(holdId, legalHold.id)} and (
      (${kind} = 'user' and ${subjectId} = ${user})
      or (${kind} in ('customer', 'owner') and ${subjectId} = any(${customers}))
      or (${kind} = 'device' and ${subjectId} in ${devices}))))`;
};

/** Whether a person must not be erased. */
export const isPersonHeld = (user: SQLWrapper, customers: SQLWrapper): SQL =>
  sql`exists (select from ${legalHold} where ${isStanding} and ${coversPerson(user, customers)})`;
