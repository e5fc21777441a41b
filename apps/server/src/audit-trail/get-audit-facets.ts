import type { AuditFacets, AuditFilter } from '@deviceportal/contract/audit-trail';
import type { Database } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { auditSightOf, maskActor } from './audit-sight.ts';
import { auditQuery } from './data/search/audit-query.ts';
import { findFacets } from './data/search/facet-queries.ts';
import { findSealedMatches } from './find-sealed-matches.ts';
import { openNames, type PersonalText } from './open-personal-fields.ts';

/** Types and actors among the newest 10,000 events of the filter's time range and device. */
export async function getAuditFacets(
  { database }: { readonly database: Database },
  viewer: Viewer,
  filter: AuditFilter,
): Promise<AuditFacets> {
  const sight = auditSightOf(viewer, 'audit-trail:read');
  const base = { ...filter, types: [], actorId: null, actorKind: null, text: '' };
  const sealed = await findSealedMatches(database.orm, { ...base, actorId: filter.actorId }, sight);
  const facets = await findFacets(database.orm, auditQuery(base, sight, null, { sealed }));
  const textOf = ({ id, name }: AuditFacets['actors'][number]): PersonalText => ({
    text: name,
    userId: id,
  });
  const users = facets.actors.filter(({ kind }) => kind === 'user');
  const shown = await openNames(database.orm, users.map(textOf));
  const actors = facets.actors
    .map((actor) => (actor.kind === 'user' ? { ...actor, name: shown(textOf(actor)) } : actor))
    .toSorted((one, other) => one.name.localeCompare(other.name));
  return { types: facets.types, actors: actors.map((actor) => maskActor(actor, sight)) };
}
