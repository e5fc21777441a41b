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
import {
  deleteOwnView,
  lockOwnView,
  selectViews,
  upsertView,
  viewsOf,
  type StoredView,
} from '../data/list/view-queries.ts';

/** Built-in views, followed by the viewer's own, and those shared with one of their roles, sorted by name. */
export async function listViews(
  deps: { readonly database: Database },
  viewer: Viewer,
  screen: string,
): Promise<readonly SavedView[]> {
  const stored = await selectViews(deps.database.orm, viewer, screen);
  return [...builtinViews(screen), ...stored.map((row) => toView(row, viewer))];
}

/** Creates a view, or changes one of the caller's own. Sharing requires the role itself, or `access:manage`. */
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
    const ownerId = viewer.userId;
    const old = await lockOwnView(tx, { id, ownerId });
    if (old === undefined) {
      await requireRoom(tx, { limit: 'savedViews', of: ownerId, existing: viewsOf(ownerId) });
    }
    const { name, screen, search } = input;
    const row = await upsertView(tx, { id, ownerId, name, screen, search, sharedWithRole });
    if (row === undefined) throw new PortalError('notFound');
    await recordSettings(tx, caller, 'settings.view-saved', {
      ...{
        viewId: id,
        view: row.name,
        before: recordedView(old),
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
    const row = await deleteOwnView(tx, { id, ownerId: caller.viewer.userId });
    if (row === undefined) throw new PortalError('notFound');
    await recordSettings(tx, caller, 'settings.view-removed', {
      ...{ viewId: id, view: row.name, before: recordedView(row), after: null },
    });
  });
}

const recordedView = (row: StoredView | undefined) =>
  row === undefined
    ? null
    : {
        name: row.name,
        screen: row.screen,
        search: row.search,
        sharedWithRole: row.sharedWithRole,
      };

function toView(row: StoredView, viewer: Viewer): SavedView {
  return {
    id: row.id,
    name: row.name,
    screen: row.screen,
    search: row.search,
    mine: row.ownerId === viewer.userId,
    sharedWithRole: row.sharedWithRole,
    builtin: false,
  };
}
