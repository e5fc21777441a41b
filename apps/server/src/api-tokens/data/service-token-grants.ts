import { and, eq, sql } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { Permission, Scope } from '@deviceportal/contract/permissions';
import { roleRecords } from '../../access/data/role-records.ts';
import { isTokenActive } from './api-token-queries.ts';
import { apiToken } from './api-tokens-tables.ts';

const build = new QueryBuilder();

const grantAtCreation = sql`(${apiToken.roleGrants} -> ${roleRecords.roleId}::text)`;

/** The current grants of service tokens that have not ended, and those at their creation, for joins by `tokenId`. */
export const serviceTokenGrants = build
  .select({
    tokenId: apiToken.id,
    permissions: roleRecords.permissions,
    scope: roleRecords.scope,
    permissionsAtCreation: sql<readonly Permission[]>`${grantAtCreation} -> 'permissions'`.as(
      'permissions_at_creation',
    ),
    scopeAtCreation: sql<Scope>`${grantAtCreation} -> 'scope'`.as('scope_at_creation'),
  })
  .from(apiToken)
  .innerJoin(roleRecords, sql`${apiToken.roleIds} ? ${roleRecords.roleId}::text`)
  .where(and(eq(apiToken.kind, 'service'), isTokenActive))
  .as('service_token_grant');

/** Service tokens, ended ones included, for joins by `tokenId`. */
export const serviceTokens = build
  .select({ tokenId: apiToken.id })
  .from(apiToken)
  .where(eq(apiToken.kind, 'service'))
  .as('service_token');
