import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { SavedView, saveViewInput } from '@deviceportal/contract/devices';
import { PortalError } from '@deviceportal/contract/errors';
import { newId } from '@deviceportal/contract/ids';
import { holds } from '@deviceportal/contract/permissions';
import { recordSettings } from '../../audit-trail/record-settings.ts';
import { inTransaction, type Database } from '../../platform/database/database.ts';
import { requireRoom } from '../../platform/growth-limits/require-room.ts';
import type { Caller, Viewer } from '../../platform/viewer.ts';
import { builtinViews } from './builtin-views.ts';
import { textArrayParam } from '../search/device-predicate.ts';

interface ViewRecord extends Record<string, unknown> {
  readonly id: string;
  readonly owner_id: string;
  readonly name: string;
  readonly screen: string;
  readonly search: Record<string, string>;
  readonly shared_with_role: string | null;
}

const MOST_SHARED = 300;

/**
 * The shipped views, one's own, then those shared with a role that one has, by name. Where colleagues share more than a
 * list takes, each of them has their part of it.
 */
export async function listViews(
  deps: { readonly database: Database },
  viewer: Viewer,
  screen: string,
): Promise<readonly SavedView[]> {
  const found = await deps.database.orm.execute<ViewRecord>(sql`
    with shared as (
      select * from saved_view
      where screen = ${screen} and owner_id <> ${viewer.userId}
        and shared_with_role = any(${textArrayParam(viewer.roles)})
      order by row_number() over (partition by owner_id order by lower(name), id), id limit ${MOST_SHARED})
    select * from (
      select * from saved_view where screen = ${screen} and owner_id = ${viewer.userId}
      union all select * from shared) v
    order by owner_id = ${viewer.userId} desc, lower(name), id`);
  return [...builtinViews(screen), ...found.rows.map((row) => toView(row, viewer))];
}

/** Makes a view, or changes one's own. Sharing needs the role itself, or `access:manage`. */
export async function saveView(
  deps: { readonly database: Database },
  caller: Caller,
  input: z.infer<typeof saveViewInput>,
): Promise<SavedView> {
  const { viewer } = caller;
  const { sharedWithRole } = input;
  const mayShare =
    sharedWithRole === null ||
    viewer.roles.includes(sharedWithRole) ||
    holds(viewer.grants, 'access:manage');
  if (!mayShare) {
    throw new PortalError('noPermission', { facts: { permission: 'access:manage' } });
  }
  const id = input.id ?? newId();
  return inTransaction(deps.database, async (tx) => {
    const old = await tx.execute<ViewRecord>(
      sql`select * from saved_view where id = ${id} and owner_id = ${viewer.userId} for update`,
    );
    if (old.rows.length === 0) {
      const existing = sql`select from saved_view where owner_id = ${viewer.userId}`;
      await requireRoom(tx, { limit: 'savedViews', of: viewer.userId, existing });
    }
    const saved = await tx.execute<ViewRecord>(sql`
      insert into saved_view as v (id, owner_id, name, screen, search, shared_with_role)
      values (${id}, ${viewer.userId}, ${input.name}, ${input.screen},
        ${JSON.stringify(input.search)}::jsonb, ${sharedWithRole})
      on conflict (id) do update
      set name = excluded.name, screen = excluded.screen, search = excluded.search,
          shared_with_role = excluded.shared_with_role
      where v.owner_id = excluded.owner_id
      returning *`);
    const row = saved.rows[0];
    if (row === undefined) throw new PortalError('notFound');
    await recordSettings(tx, caller, 'settings.view-saved', {
      ...{
        viewId: id,
        view: row.name,
        before: recordedView(old.rows[0]),
        after: recordedView(row),
      },
    });
    return toView(row, viewer);
  });
}

export async function removeView(
  deps: { readonly database: Database },
  caller: Caller,
  id: string,
): Promise<void> {
  await inTransaction(deps.database, async (tx) => {
    const removed = await tx.execute<ViewRecord>(
      sql`delete from saved_view where id = ${id} and owner_id = ${caller.viewer.userId} returning *`,
    );
    const [row] = removed.rows;
    if (row === undefined) throw new PortalError('notFound');
    await recordSettings(tx, caller, 'settings.view-removed', {
      ...{ viewId: id, view: row.name, before: recordedView(row), after: null },
    });
  });
}

const recordedView = (row: ViewRecord | undefined) =>
  row === undefined
    ? null
    : {
        name: row.name,
        screen: row.screen,
        search: row.search,
        sharedWithRole: row.shared_with_role,
      };

function toView(row: ViewRecord, viewer: Viewer): SavedView {
  return {
    id: row.id,
    name: row.name,
    screen: row.screen,
    search: row.search,
    mine: row.owner_id === viewer.userId,
    sharedWithRole: row.shared_with_role,
    builtin: false,
  };
}
