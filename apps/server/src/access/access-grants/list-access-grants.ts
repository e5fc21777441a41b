import type {
  AccessGrantOffer,
  AccessGrantRow,
  ListAccessGrants,
} from '@deviceportal/contract/access-grants';
import type { Page } from '@deviceportal/contract/pages';
import { holds } from '@deviceportal/contract/permissions';
import type { Database } from '../../platform/database/database.ts';
import { decodeMomentCursor, encodeMomentCursor } from '../../platform/moment-cursor.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { findSamePeople } from '../data/same-people.ts';
import { listRoles } from '../data/role-queries.ts';
import { selectAccessGrants } from '../data/access-grant-queries.ts';
import { toAccessGrantRow } from './to-access-grant-row.ts';

type Deps = { readonly database: Pick<Database, 'orm'> };

/** Newest first. Viewers without `access:read` see their own. */
export async function listAccessGrants(
  { database }: Deps,
  viewer: Viewer,
  { open, mine, pageSize, cursor }: ListAccessGrants,
): Promise<Page<AccessGrantRow>> {
  const isOwnOnly = mine || !holds(viewer.grants, 'access:read');
  const filter = {
    open,
    userId: isOwnOnly ? viewer.userId : undefined,
    after: decodeMomentCursor(cursor),
  };
  const found = await selectAccessGrants(database.orm, filter, pageSize + 1);
  const page = found.slice(0, pageSize);
  const asking = page.map(({ userId }) => userId);
  const own = await findSamePeople(database.orm, asking, [viewer.userId]);
  const last = found.length > pageSize ? page.at(-1) : undefined;
  return {
    rows: page.map((row) => toAccessGrantRow(row, viewer, own)),
    nextCursor:
      last === undefined ? null : encodeMomentCursor({ at: last.askedAtText, id: last.id }),
  };
}

/** All roles. A user can request any role that they do not have. */
export async function listAccessGrantOffers({ database }: Deps): Promise<AccessGrantOffer[]> {
  const roles = await listRoles(database.orm);
  return roles.map(({ id, name, description, builtin, permissions, scope }) => ({
    ...{ id, name, description, builtin, permissions, scope },
  }));
}
