import { sql, type SQL, type WithSubquery } from 'drizzle-orm';

/** A query of `$with` for a `with` in a template: computed once, even if it is used once. */
export const materialized = ({ _: { alias, sql: query } }: WithSubquery): SQL =>
  sql`${sql.identifier(alias)} as materialized (${query})`;
