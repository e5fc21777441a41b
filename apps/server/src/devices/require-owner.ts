import { sql } from 'drizzle-orm';
import { refuse } from '@deviceportal/contract/refuse';
import { personSightOf } from '../people/data/person-sight.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';

/** @throws PortalError 2004 unless there is such a person for the viewer */
export async function requireOwner(
  tx: Transaction,
  viewer: Viewer,
  ownerId: string | null | undefined,
): Promise<void> {
  if (ownerId === null || ownerId === undefined) return;
  const { exists } = personSightOf(viewer);
  const found = await tx.execute(sql`select from person p where p.id = ${ownerId} and ${exists}`);
  if (found.rows.length > 0) return;
  throw refuse('owner-unknown', { field: 'ownerId' });
}
