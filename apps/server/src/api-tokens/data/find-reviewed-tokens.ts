import { and, asc, eq, sql } from 'drizzle-orm';
import { roleRecords } from '../../access/data/role-records.ts';
import type { Executor } from '../../platform/database/database.ts';
import { isTokenActive } from './api-token-queries.ts';
import { apiToken } from './api-tokens-tables.ts';

/** The roles of service tokens that have not ended, for a review of access. */
export function findReviewedTokens(on: Executor) {
  return on
    .select({
      apiTokenId: apiToken.id,
      apiTokenName: apiToken.name,
      /** They know the token. */
      userId: apiToken.createdById,
      roleId: roleRecords.roleId,
      roleName: roleRecords.name,
      permissions: roleRecords.permissions,
      scope: roleRecords.scope,
      until: apiToken.expiresAt,
      lastUsedAt: apiToken.lastUsedAt,
    })
    .from(apiToken)
    .innerJoin(roleRecords, sql`${apiToken.roleIds} ? ${roleRecords.roleId}::text`)
    .where(and(eq(apiToken.kind, 'service'), isTokenActive))
    .orderBy(asc(apiToken.id), asc(roleRecords.name));
}
