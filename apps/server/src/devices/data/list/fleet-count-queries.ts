import { eq, sql } from 'drizzle-orm';
import type { Executor } from '../../../platform/database/database.ts';
import type { Viewer } from '../../../platform/viewer.ts';
import { scopePredicate } from '../search/scope-predicate.ts';
import { d, s } from '../search/search-rows.ts';

/** Numbers of devices within the viewer's scope, grouped by the attributes in the fleet summary. */
export async function countFleet(on: Executor, viewer: Viewer, dayAgo: Date) {
  const scope = scopePredicate(viewer.grants, ['devices:read']);
  const counted = on
    .select({
      connectivity: s.connectivity,
      lifecycle: s.lifecycle,
      country: s.country,
      model: s.model,
      /** Offline for more than 24 hours. */
      old: sql<boolean>`${s.connectivity} = 'offline' and ${s.seenRank} < ${dayAgo.toISOString()}::timestamptz`,
      count: sql<number>`count(*)::int`,
    })
    .from(s)
    .$dynamic();
  const within =
    scope === null
      ? counted
      : counted.innerJoin(d, sql`${eq(d.id, s.deviceId)} and (${scope.where})`);
  return within.groupBy(sql`1, 2, 3, 4, 5`);
}
