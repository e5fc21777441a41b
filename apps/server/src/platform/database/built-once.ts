import type { Executor } from './database.ts';

/**
 * A query that is built once for each pool, and anew in each transaction: building one of many columns takes as long as
 * the database takes to answer it.
 *
 * @param build makes a query with placeholders, by `prepare(UNNAMED)`
 */
export function builtOnce<Query>(build: (on: Executor) => Query): (on: Executor) => Query {
  const built = new WeakMap<Executor, Query>();
  return (on) => {
    const known = built.get(on) ?? build(on);
    built.set(on, known);
    return known;
  };
}

/** No prepared statement of the database: its plan follows the parameters. */
export const UNNAMED = '';
