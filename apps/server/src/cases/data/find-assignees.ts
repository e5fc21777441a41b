import { eq, type SQL } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import {
  findUsersReaching,
  type ReachingUser,
  type ReachingUsers,
} from '../../access/data/users-reaching.ts';
import { deviceRecords } from '../../devices/data/device-records.ts';
import type { Executor } from '../../platform/database/database.ts';

const devicesOf = (personId: string): SQL =>
  new QueryBuilder()
    .select({
      country: deviceRecords.country,
      model: deviceRecords.model,
      labels: deviceRecords.labels,
    })
    .from(deviceRecords)
    .where(eq(deviceRecords.ownerId, personId))
    .getSQL();

/** Users who can see the person and manage cases for them: the rule of `caseVisibility`, for other users. */
export async function findAssignees(
  on: Executor,
  personId: string,
  wanted: Pick<ReachingUsers, 'id' | 'text' | 'limit'>,
): Promise<ReachingUser[]> {
  return findUsersReaching(on, {
    ...wanted,
    permissions: [['cases:manage'], ['people:read', 'devices:read']],
    devices: devicesOf(personId),
  });
}
