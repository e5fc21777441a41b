import { and, eq, sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/database.ts';
import { isTokenActive } from './api-token-queries.ts';
import { apiToken } from './api-tokens-tables.ts';

/** Number of active service tokens with a role. */
export const countServiceTokens = (tx: Transaction, roleId: string): Promise<number> =>
  tx.$count(
    apiToken,
    and(eq(apiToken.kind, 'service'), sql`${apiToken.roleIds} ? ${roleId}::text`, isTokenActive),
  );
