import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';

interface OneValue extends SQLWrapper {
  readonly _: { readonly result: readonly { readonly value: unknown }[] };
}

/** A query of one column, called `value`, as a value; null where it has no row. */
export const scalar = <Query extends OneValue>(
  query: Query,
): SQL<Query['_']['result'][number]['value'] | null> =>
  sql<Query['_']['result'][number]['value'] | null>`(${query})`;
