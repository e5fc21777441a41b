import { sql, type SQL } from 'drizzle-orm';

/** Cases `c` whose ticket begins so, however it is written: through the index of tickets. */
export function ticketBegins(beginning: string): SQL {
  const literal = beginning.toLowerCase().replaceAll(/[\\%_]/g, (character) => `\\${character}`);
  return sql`lower(c.ticket) like ${`${literal}%`}`;
}
