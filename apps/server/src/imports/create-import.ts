import type { z } from 'zod';
import {
  type createImportInput,
  type CreatedImport,
  type ImportCounts,
} from '@deviceportal/contract/imports';
import { newId } from '@deviceportal/contract/ids';
import { inTransaction } from '../platform/database/database.ts';
import { requireRoom } from '../platform/growth-limits/require-room.ts';
import type { Caller } from '../platform/viewer.ts';
import { importsOfToday, insertImport, openImportsOf } from './data/import-queries.ts';
import type { ImportsDeps } from './imports-deps.ts';
import { requireKind } from './kind-of-rows.ts';

export const noRows: ImportCounts = {
  ...{ rows: 0, checked: 0, new: 0, changed: 0, unchanged: 0, refused: 0 },
  ...{ applied: 0, undone: 0, left: 0 },
};

/**
 * Begins an import. Its file is sent to the returned address.
 * @throws PortalError 1000; 2004 with a limit
 */
export async function createImport(
  { database, imports }: Pick<ImportsDeps, 'database' | 'imports'>,
  { viewer }: Caller,
  input: z.infer<typeof createImportInput>,
): Promise<CreatedImport> {
  requireKind(viewer, input.kind);
  const id = newId();
  const { userId } = viewer;
  await inTransaction(database, async (tx) => {
    const room = { of: userId };
    await requireRoom(tx, { ...room, limit: 'openImports', existing: openImportsOf(userId) });
    await requireRoom(tx, { ...room, limit: 'imports', existing: importsOfToday(userId) });
    await insertImport(tx, { id, ...input, counts: noRows, createdById: userId });
  });
  return { id, uploadUrl: imports.signUpload(id) };
}
