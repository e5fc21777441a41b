import { eq } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { accessGrant, role } from './access-tables.ts';

const build = new QueryBuilder();

/** The scopes of roles, and of temporary access in effect. */
export const scopesInUse = build
  .select({ scope: role.scope })
  .from(role)
  .unionAll(
    build
      .select({ scope: accessGrant.scope })
      .from(accessGrant)
      .where(eq(accessGrant.state, 'running')),
  )
  .as('scope_in_use');
