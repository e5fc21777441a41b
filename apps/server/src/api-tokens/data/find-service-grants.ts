import { asc, eq, sql } from 'drizzle-orm';
import type { Grant } from '@deviceportal/contract/permissions';
import { roleRecords } from '../../access/data/role-records.ts';
import type { Executor } from '../../platform/database/database.ts';
import { apiToken } from './api-tokens-tables.ts';

export interface ServiceRole extends Grant {
  readonly name: string;
  /** What the role allowed when the token was created. */
  readonly atCreation: Grant | null;
}

/** The roles of a service token as they are now; deleted ones are left out. */
export async function findServiceGrants(on: Executor, tokenId: string): Promise<ServiceRole[]> {
  return on
    .select({
      name: roleRecords.name,
      permissions: roleRecords.permissions,
      scope: roleRecords.scope,
      atCreation: sql<Grant | null>`${apiToken.roleGrants} -> ${roleRecords.roleId}::text`,
    })
    .from(apiToken)
    .innerJoin(roleRecords, sql`${apiToken.roleIds} ? ${roleRecords.roleId}::text`)
    .where(eq(apiToken.id, tokenId))
    .orderBy(asc(roleRecords.name));
}
