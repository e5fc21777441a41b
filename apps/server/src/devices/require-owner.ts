import { refuse } from '@deviceportal/contract/refuse';
import { isPersonVisible } from '../people/data/is-person-visible.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';

/** @throws PortalError 2004 if the person does not exist for the viewer */
export async function requireOwner(
  tx: Transaction,
  viewer: Viewer,
  ownerId: string | null | undefined,
): Promise<void> {
  if (ownerId === null || ownerId === undefined) return;
  if (await isPersonVisible(tx, viewer, ownerId)) return;
  throw refuse('owner-unknown', { field: 'ownerId' });
}
