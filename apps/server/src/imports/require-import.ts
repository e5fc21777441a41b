import { PortalError } from '@deviceportal/contract/errors';
import type { Transaction } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { lockImport, type StoredImport } from './data/import-queries.ts';
import { requireKind } from './kind-of-rows.ts';

/**
 * An own import that the user is still permitted to continue, locked until the transaction ends.
 * @throws PortalError 2003, 1000
 */
export async function requireImport(
  tx: Transaction,
  viewer: Viewer,
  id: string,
): Promise<StoredImport> {
  const found = await lockImport(tx, viewer.userId, id);
  if (found === undefined) throw new PortalError('notFound', { facts: { id } });
  requireKind(viewer, found.kind);
  return found;
}
