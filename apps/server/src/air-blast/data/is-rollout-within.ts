import { and, eq, isNull, notExists, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { Scope } from '@deviceportal/contract/permissions';
import { deviceRecords } from '../../devices/data/device-records.ts';
import { deviceScopeCondition } from '../../devices/data/device-scope-condition.ts';
import { isEverywhere } from '../../devices/is-everywhere.ts';
import { airBlast, airBlastTarget } from './air-blast-tables.ts';

/**
 * Whether a rollout is visible: all devices that it changes are in scope, because everything that it shows and every
 * action apply to all of them. A device without the attribute of a scope is out of scope.
 */
export function isRolloutWithin(
  scopes: readonly Scope[],
  rollout: { readonly id: SQLWrapper; readonly revision: SQLWrapper } = airBlast,
): SQL {
  if (scopes.length === 0) return sql`false`;
  if (scopes.some(isEverywhere)) return sql`true`;
  return notExists(
    new QueryBuilder()
      .select({ deviceId: airBlastTarget.deviceId })
      .from(airBlastTarget)
      .innerJoin(deviceRecords, eq(deviceRecords.deviceId, airBlastTarget.deviceId))
      .where(
        and(
          eq(airBlastTarget.airBlastId, rollout.id),
          eq(airBlastTarget.revision, rollout.revision),
          isNull(airBlastTarget.exclusion),
          // The condition is null for a device without the attribute.
          sql`(${deviceScopeCondition(scopes, deviceRecords)}) is not true`,
        ),
      ),
  );
}
