import { PortalError } from '@deviceportal/contract/errors';
import { refuse } from '@deviceportal/contract/refuse';
import type { Transaction } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { lockCase, type LockedCase } from './data/case-queries.ts';

/**
 * The case, locked, if the viewer can change it.
 * @throws PortalError notFound (2003), also if its person is outside the viewer's scope
 */
export async function requireCase(
  tx: Transaction,
  viewer: Viewer,
  id: string,
): Promise<LockedCase> {
  const found = await lockCase(tx, viewer, id);
  if (found === undefined) throw new PortalError('notFound', { facts: { case: id } });
  return found;
}

/** @throws PortalError 2003, or 2004 if it is closed: a closed case is evidence and cannot be changed */
export async function requireOpenCase(
  tx: Transaction,
  viewer: Viewer,
  id: string,
): Promise<LockedCase> {
  const found = await requireCase(tx, viewer, id);
  requireOpen(found);
  return found;
}

/** @throws PortalError 2004 if it is closed */
export function requireOpen({ id, state }: LockedCase): void {
  if (state !== 'open') throw refuse('case-closed', { field: 'id', facts: { case: id } });
}
