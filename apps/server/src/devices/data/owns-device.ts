import { and, eq, exists, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { Scope } from '@deviceportal/contract/permissions';
import { isEverywhere } from '../is-everywhere.ts';
import { deviceScopeCondition } from './device-scope-condition.ts';
import { device } from './devices-tables.ts';

/** Whether a person owns a device that one of the scopes reaches. Without limits this holds for everybody. */
export const ownsDevice = (scopes: readonly Scope[], personId: SQLWrapper): SQL =>
  scopes.some(isEverywhere)
    ? sql`true`
    : exists(
        new QueryBuilder()
          .select({ id: device.id })
          .from(device)
          .where(and(eq(device.ownerId, personId), deviceScopeCondition(scopes, device))),
      );
