import type { ImportDetail } from '@deviceportal/contract/imports';
import type { Viewer } from '../platform/viewer.ts';
import { selectImportsById } from './data/import-queries.ts';
import { importDetail } from './import-detail.ts';
import type { ImportsDeps } from './imports-deps.ts';
import { permittedKinds } from './kind-of-rows.ts';

/** The current state of own imports. */
export async function importsById(
  { database, clock }: Pick<ImportsDeps, 'database' | 'clock'>,
  viewer: Viewer,
  ids: readonly string[],
): Promise<ImportDetail[]> {
  const kinds = permittedKinds(viewer);
  const found = await selectImportsById(database.orm, viewer.userId, { kinds, ids });
  return found.map((row) => importDetail(row, clock()));
}
