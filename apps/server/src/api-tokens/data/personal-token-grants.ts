import { and, eq } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { isTokenActive } from './api-token-queries.ts';
import { apiToken } from './api-tokens-tables.ts';

/**
 * Permissions and scopes of personal tokens that have not ended, for joins by `tokenId`. The grants of their owners limit
 * them.
 */
export const personalTokenGrants = new QueryBuilder()
  .select({ tokenId: apiToken.id, permissions: apiToken.permissions, scope: apiToken.scope })
  .from(apiToken)
  .where(and(eq(apiToken.kind, 'personal'), isTokenActive))
  .as('personal_token_grant');
