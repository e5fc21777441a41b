import { sql } from 'drizzle-orm';
import type { DeviceRow } from '@deviceportal/contract/devices';
import { PortalError } from '@deviceportal/contract/errors';
import type { SearchPage } from '@deviceportal/contract/pages';
import type { Viewer } from '../platform/viewer.ts';
import { listDevices, type ListDependencies, type ListDevicesInput } from './list-devices.ts';
import { decodeSearchCursor } from './search/search-cursor.ts';
import { scopePredicate } from './search/scope-predicate.ts';

/** Encrypts a text for whoever names the same purpose. */
export interface CursorVault {
  sealText(purpose: string, text: string): string;
  /** @throws for what it has not sealed so */
  openText(purpose: string, box: string): string;
}

const PURPOSE = 'devices.list';

/**
 * The list as a person gets it. A page that found less than it was asked for goes on behind the last device that was looked
 * at, which may lie outside their scope: its serial number and name are neither told nor in the cursor to be read, and
 * nobody makes a cursor to find out what stands where.
 */
export async function listDevicesPage(
  deps: ListDependencies & { readonly vault: CursorVault },
  viewer: Viewer,
  input: ListDevicesInput,
): Promise<SearchPage<DeviceRow>> {
  const cursor = input.cursor === null ? null : opened(deps.vault, input.cursor);
  const page = await listDevices(deps, viewer, { ...input, cursor });
  if (page.nextCursor === null) return page;
  const isSeen =
    page.searchedTo === null ||
    input.sort === 'lastSeen' ||
    (await exists(deps, viewer, decodeSearchCursor(page.nextCursor, input).i));
  return {
    ...page,
    nextCursor: deps.vault.sealText(PURPOSE, page.nextCursor),
    searchedTo: isSeen ? page.searchedTo : null,
  };
}

function opened(vault: CursorVault, cursor: string): string {
  try {
    return vault.openText(PURPOSE, cursor);
  } catch {
    throw new PortalError('invalidParameters', {
      issues: [{ path: ['cursor'], message: 'This cursor does not belong to this list.' }],
    });
  }
}

async function exists(
  { database }: Pick<ListDependencies, 'database'>,
  viewer: Viewer,
  id: string,
): Promise<boolean> {
  const scope = scopePredicate(viewer.grants, ['devices:read']);
  if (scope === null) return true;
  const found = await database.orm.execute(
    sql`select from device d where d.id = ${id} and ${scope.where}`,
  );
  return found.rows.length > 0;
}
