import { and, eq, exists, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { Scope } from '@deviceportal/contract/permissions';
import type { Executor } from '../../platform/database/database.ts';
import { isEverywhere } from '../is-everywhere.ts';
import { deviceScopeCondition } from './device-scope-condition.ts';
import { device } from './devices-tables.ts';

/** Whether a person owns a device within one of the scopes. With an unlimited scope, true for every person. */
export const ownsDevice = (scopes: readonly Scope[], personId: SQLWrapper): SQL =>
  scopes.some(isEverywhere)
    ? sql`true`
    : exists(
        new QueryBuilder()
          .select({ id: device.id })
          .from(device)
          .where(and(eq(device.ownerId, personId), deviceScopeCondition(scopes, device))),
      );

/** Whether a person owns a device within one of the scopes. */
export async function ownsDeviceWithin(
  on: Executor,
  scopes: readonly Scope[],
  personId: string,
): Promise<boolean> {
  const rows = await on
    .select({ id: device.id })
    .from(device)
    .where(and(eq(device.ownerId, personId), deviceScopeCondition(scopes, device)))
    .limit(1);
  return rows.length > 0;
}

/** Whether a person owns any device. */
export const ownsAnyDevice = (personId: SQLWrapper): SQL =>
  exists(
    new QueryBuilder().select({ id: device.id }).from(device).where(eq(device.ownerId, personId)),
  );
