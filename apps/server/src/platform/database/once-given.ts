import { sql, type SQL } from 'drizzle-orm';

/**
 * A parameter of a prepared statement that the planner does not see: if its value promised a cheaper plan, PostgreSQL
 * would plan the statement again for each value.
 */
export const onceGiven = (name: string, type: 'boolean' | 'text' | 'text[]' | 'uuid'): SQL =>
  sql`(select ${sql.placeholder(name)}::${sql.raw(type)})`;
