import { and, eq, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { Scope } from '@deviceportal/contract/permissions';
import { deviceScopeCondition } from './device-scope-condition.ts';
import { device } from './devices-tables.ts';

/** Number of a person's devices that are within the scopes. */
export const countOwnedDevices = (scopes: readonly Scope[], personId: SQLWrapper): SQL<number> =>
  sql<number>`(${new QueryBuilder()
    .select({ count: sql`count(*)::int` })
    .from(device)
    .where(and(eq(device.ownerId, personId), deviceScopeCondition(scopes, device)))})`;
