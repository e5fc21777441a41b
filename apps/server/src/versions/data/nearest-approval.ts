import { and, eq, sql, type SQLWrapper } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { versionApproval } from './versions-tables.ts';

/** The most specific approval for devices of a model in a country, to be joined with `leftJoinLateral`. */
export const nearestApproval = (of: {
  readonly component: SQLWrapper;
  readonly model: SQLWrapper;
  readonly country: SQLWrapper;
}) =>
  new QueryBuilder()
    .select()
    .from(versionApproval)
    .where(
      and(
        eq(versionApproval.component, of.component),
        sql`${versionApproval.model} in (${of.model}, '*')`,
        sql`${versionApproval.country} in (${of.country}, '*')`,
      ),
    )
    .orderBy(sql`${versionApproval.model} = '*'`, sql`${versionApproval.country} = '*'`)
    .limit(1)
    .as('nearest_approval');
