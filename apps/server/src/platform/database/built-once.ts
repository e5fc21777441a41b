import type { Executor } from './database.ts';

/**
 * A query that is built once for each pool, and once in each transaction. Building a query of many columns takes as
 * long as PostgreSQL takes to answer it.
 *
 * @param build returns a query with placeholders, by `prepare(name)`: each connection parses and plans it once. The
 *   name is unique in the server, and the best plan is the same for all parameters
 */
export function builtOnce<Query>(build: (on: Executor) => Query): (on: Executor) => Query {
  const built = new WeakMap<Executor, Query>();
  return (on) => {
    const known = built.get(on) ?? build(on);
    built.set(on, known);
    return known;
  };
}
