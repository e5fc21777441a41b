import type { DeviceRow } from '@deviceportal/contract/devices';
import type { SearchPage } from '@deviceportal/contract/pages';
import { scopesOf } from '@deviceportal/contract/permissions';
import { refuse } from '@deviceportal/contract/refuse';
import type { Viewer } from '../../platform/viewer.ts';
import { listDevices, type ListDependencies, type ListDevicesInput } from './list-devices.ts';
import { decodeSearchCursor } from '../data/search/search-cursor.ts';
import { findDeviceWithin } from '../data/find-devices.ts';
import { isEverywhere } from '../is-everywhere.ts';

/** Encrypts and decrypts a text; what was encrypted for one purpose cannot be decrypted for another. */
export interface CursorVault {
  sealText(purpose: string, text: string): string;
  /** @throws Error if the text was not encrypted by this installation for this purpose */
  openText(purpose: string, box: string): string;
}

const PURPOSE = 'devices.list';

/**
 * One page of the list for a viewer. A page that found fewer devices than requested continues after the last device that
 * was examined, which may be outside the viewer's scope. The cursor is therefore sealed: it reveals no serial number or
 * name, and it can't be forged to probe for devices.
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
    throw refuse('cursor-invalid', { field: 'cursor' });
  }
}

async function exists(
  { database }: Pick<ListDependencies, 'database'>,
  viewer: Viewer,
  id: string,
): Promise<boolean> {
  if (scopesOf(viewer.grants, ['devices:read']).some(isEverywhere)) return true;
  return (await findDeviceWithin(database.orm, viewer, ['devices:read'], { id })) !== undefined;
}
