import { sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { AuditFacets } from '@deviceportal/contract/audit-trail';
import type { Executor } from '../../../platform/database/database.ts';
import { jsonArray, jsonObject } from '../../../platform/database/json-rows.ts';
import { selectList, selectRows } from '../../../platform/database/select-rows.ts';
import { auditEvent } from '../audit-trail-tables.ts';
import type { AuditQuery } from './audit-query.ts';
import { e, newestFirst, withDevice } from './event-rows.ts';

const LOOKED_AT = 10_000;
const MOST_ACTORS = 200;

/** The events whose types and actors are collected. */
const recent = alias(auditEvent, 'recent');
const { type, actorKind, actorId, actorName } = recent;

const types = sql<string[]>`(select ${jsonArray(type, { orderBy: type })} from (
  select distinct ${type} from ${recent}) ${recent})`;

const actor = jsonObject({ kind: actorKind, id: sql<string>`${actorId}`, name: actorName });
const actors = sql<
  AuditFacets['actors'][number][]
>`(select ${jsonArray(actor, { orderBy: actorId })} from (
  select ${actorKind}, ${actorId}, max(${actorName}) as ${sql.identifier(actorName.name)} from ${recent}
  where ${actorId} is not null group by ${actorKind}, ${actorId} order by count(*) desc limit ${MOST_ACTORS}) ${recent})`;

const facetList = selectList({ types, actors });

/** The types and the most frequent actors of the newest events of a query. */
export async function findFacets(
  on: Executor,
  { indexed, residual }: Pick<AuditQuery, 'indexed' | 'residual'>,
): Promise<AuditFacets> {
  const [found] = await selectRows(
    on,
    facetList,
    (list) => sql`
      with ${recent} as materialized (
        select ${e.type}, ${e.actorKind}, ${e.actorId}, ${e.actorName}
        from (select * from ${auditEvent} ${e} where ${all(indexed)} ${newestFirst} limit ${LOOKED_AT}) ${e}
        ${withDevice} where ${all(residual)})
      select ${list}`,
  );
  return found ?? { types: [], actors: [] };
}

const all = (conditions: readonly SQL[]): SQL => sql.join([sql`true`, ...conditions], sql` and `);
