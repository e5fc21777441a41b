import { eq, sql, type SQL } from 'drizzle-orm';
import { scopesOf } from '@deviceportal/contract/permissions';
import { isEverywhere } from '../../devices/is-everywhere.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { apiCall } from './api-calls-tables.ts';

/**
 * Calls that are visible to a viewer. A call belongs to no device, so a viewer whose scope is part of the fleet sees
 * only their own calls.
 */
export function apiCallVisibility({ userId, grants }: Pick<Viewer, 'userId' | 'grants'>): SQL {
  const isUnlimited = scopesOf(grants, ['api-calls:read']).some(isEverywhere);
  return isUnlimited ? sql`true` : eq(apiCall.userId, userId);
}
