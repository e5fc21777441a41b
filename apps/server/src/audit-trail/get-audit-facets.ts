import { sql } from 'drizzle-orm';
import type { AuditFacets, AuditFilter } from '@deviceportal/contract/audit-trail';
import type { Database } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { auditQuery, deviceOfEvent as d } from './audit-event-query.ts';
import { auditSightOf, maskActor } from './audit-sight.ts';
import { findSealedMatches } from './find-sealed-matches.ts';
import { openNames } from './open-personal-fields.ts';

const LOOKED_AT = 10_000;

/** Types and actors among the newest events of the filter's range and device. */
export async function getAuditFacets(
  { database }: { readonly database: Database },
  viewer: Viewer,
  filter: AuditFilter,
): Promise<AuditFacets> {
  const sight = auditSightOf(viewer, 'audit-trail:read');
  const base = { ...filter, types: [], actorId: null, actorKind: null, text: '' };
  const sealed = await findSealedMatches(database.orm, base, sight);
  const { indexed, residual } = auditQuery(base, sight, null, { sealed });
  const { rows } = await database.orm.execute(sql`
    with recent as materialized (
      select e.type, e.actor_kind, e.actor_id, e.actor_name
      from (select * from audit_event e where ${sql.join([...indexed], sql` and `)}
            order by e.at desc, e.id desc limit ${LOOKED_AT}) e
      left join ${d} on ${d.deviceId} = e.device_id
      where ${residual.length === 0 ? sql`true` : sql.join([...residual], sql` and `)}
    )
    select coalesce((select jsonb_agg(type order by type) from (select distinct type from recent) t), '[]') as types,
           coalesce((select jsonb_agg(jsonb_build_object('kind', actor_kind, 'id', actor_id, 'name', actor_name)
                                      order by actor_id)
                     from (select actor_kind, actor_id, max(actor_name) as actor_name from recent
                           where actor_id is not null group by 1, 2 order by count(*) desc limit 200) a), '[]') as actors`);
  const facets = rows[0] as unknown as AuditFacets;
  const nameOf = await openNames(
    database.orm,
    facets.actors.map(({ name }) => name),
  );
  const actors = facets.actors
    .map((actor) => ({ ...actor, name: nameOf(actor.name) }))
    .toSorted((one, other) => one.name.localeCompare(other.name));
  return { types: facets.types, actors: actors.map((actor) => maskActor(actor, sight)) };
}
