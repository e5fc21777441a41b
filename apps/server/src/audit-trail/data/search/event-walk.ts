import { sql, type SQL } from 'drizzle-orm';
import { rendered } from '../../../platform/database/rendered.ts';
import { auditEvent } from '../audit-trail-tables.ts';
import type { AuditQuery } from './audit-query.ts';
import { e, newestFirst } from './event-rows.ts';

const fromEvents = rendered(sql`from ${auditEvent} ${e}`);

/** At most `limit` events that meet the indexed conditions, as rows of the table. */
export function walkOf(query: AuditQuery, limit: number): SQL {
  const indexed = sql.join([...query.indexed], sql` and `);
  const walk = (where: SQL): SQL =>
    sql`select ${e}.* ${fromEvents} where ${where} ${newestFirst} limit ${limit}`;
  if (query.actors.length > 0) {
    const walks = query.actors.map((actor) => sql`(${walk(sql`${indexed} and ${actor}`)})`);
    return sql`select ${e}.* from (${sql.join(walks, sql` union all `)}) ${e} ${newestFirst} limit ${limit}`;
  }
  if (query.typesFirst === null) return walk(indexed);
  const { exact, prefixes } = query.typesFirst;
  const named = sql`select unnest(${sql.param([...exact])}::text[]) as type`;
  const sources = [named, ...prefixes.map(typesWithPrefix)];
  return sql`
    select ${e}.* from (${sql.join(sources, sql` union `)}) wanted
    cross join lateral (${walk(sql`${e.type} = wanted.type and ${indexed}`)}) ${e} ${newestFirst} limit ${limit}`;
}

/** Distinct types with a prefix: the index is entered once for each type. */
function typesWithPrefix(prefix: string): SQL {
  const next = (where: SQL): SQL =>
    sql`select ${e.type} ${fromEvents} where ${where} order by ${e.type} limit 1`;
  return sql`(
    with recursive found(type) as (
      (${next(sql`${e.type} >= ${prefix}`)})
      union all
      select (${next(sql`${e.type} > found.type`)}) from found where found.type is not null
    )
    select type from found where starts_with(type, ${prefix}))`;
}
