import type { z } from 'zod';
import { PortalError } from '@deviceportal/contract/errors';
import type { ImportDetail, ImportPage, listImportsInput } from '@deviceportal/contract/imports';
import { decodeMomentCursor, encodeMomentCursor } from '../platform/moment-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';
import { findImport, selectImports } from './data/import-queries.ts';
import { permittedKinds, requireKind } from './kind-of-rows.ts';
import { importDetail } from './import-detail.ts';
import type { ImportsDeps } from './imports-deps.ts';

/** @throws PortalError 2003, also for the import of another user */
export async function getImport(
  { database, clock }: Pick<ImportsDeps, 'database' | 'clock'>,
  viewer: Viewer,
  { id }: { readonly id: string },
): Promise<ImportDetail> {
  const found = await findImport(database.orm, viewer.userId, id);
  if (found === undefined) throw new PortalError('notFound', { facts: { id } });
  requireKind(viewer, found.kind);
  return importDetail(found, clock());
}

/** Own imports, latest first. */
export async function listImports(
  { database, clock }: Pick<ImportsDeps, 'database' | 'clock'>,
  viewer: Viewer,
  { pageSize, cursor }: z.infer<typeof listImportsInput>,
): Promise<ImportPage> {
  const found = await selectImports(database.orm, viewer.userId, {
    kinds: permittedKinds(viewer),
    after: decodeMomentCursor(cursor),
    limit: pageSize + 1,
  });
  const page = found.slice(0, pageSize);
  const last = found.length > pageSize ? page.at(-1) : undefined;
  const now = clock();
  return {
    rows: page.map(({ row }) => importDetail(row, now)),
    nextCursor:
      last === undefined ? null : encodeMomentCursor({ at: last.createdAtText, id: last.row.id }),
  };
}
