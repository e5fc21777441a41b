import { sql, type SQL } from 'drizzle-orm';
import type {
  ElevationOffer,
  ElevationRow,
  ListElevations,
} from '@deviceportal/contract/elevations';
import type { Page } from '@deviceportal/contract/pages';
import { holds } from '@deviceportal/contract/permissions';
import type { Database } from '../../platform/database/database.ts';
import { decodeMomentCursor, encodeMomentCursor } from '../../platform/moment-cursor.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { findSamePeople } from '../is-same-person.ts';
import { listRoles } from '../roles/role-store.ts';
import { selectElevations } from './elevation-store.ts';
import { toElevationRow } from './to-elevation-row.ts';

type Deps = { readonly database: Pick<Database, 'orm'> };

/** Newest first. Whoever may not look at access sees their own. */
export async function listElevations(
  { database }: Deps,
  viewer: Viewer,
  { open, mine, pageSize, cursor }: ListElevations,
): Promise<Page<ElevationRow>> {
  const after = decodeMomentCursor(cursor);
  const conditions: SQL[] = [sql`true`];
  if (open) conditions.push(sql`e.state in ('waiting', 'running')`);
  if (mine || !holds(viewer.grants, 'access:read'))
    conditions.push(sql`e.user_id = ${viewer.userId}`);
  if (after !== null)
    conditions.push(sql`(e.asked_at, e.id) < (${after.at}::timestamptz, ${after.id}::uuid)`);
  const where = sql.join(conditions, sql` and `);
  const found = await selectElevations(database.orm, { where, limit: pageSize + 1 });
  const page = found.slice(0, pageSize);
  const asking = page.map(({ userId }) => userId);
  const own = await findSamePeople(database.orm, asking, [viewer.userId]);
  const last = found.length > pageSize ? page.at(-1) : undefined;
  return {
    rows: page.map((row) => toElevationRow(row, viewer, own)),
    nextCursor:
      last === undefined ? null : encodeMomentCursor({ at: last.askedAtText, id: last.id }),
  };
}

/** Every role: whoever does not hold one may ask for it. */
export async function listElevationOffers({ database }: Deps): Promise<ElevationOffer[]> {
  const roles = await listRoles(database.orm);
  return roles.map(({ id, name, description, builtin, permissions, scope }) => ({
    ...{ id, name, description, builtin, permissions, scope },
  }));
}
