import { sql, type SQL } from 'drizzle-orm';

/** Whether a signed text names the user who authorized it, as those of earlier releases do. */
export const authorNamed = (text: SQL): SQL =>
  sql`${text} ~ '"authorizedBy":\\{[^{}]*"name":"[^"]'`;
