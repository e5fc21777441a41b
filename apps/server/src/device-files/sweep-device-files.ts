import {
  FILE_CONTENT_SECONDS,
  FILE_TRANSFER_PATIENCE_MS,
} from '@deviceportal/contract/device-files';
import { deleteOrphans } from '../platform/files/delete-orphans.ts';
import {
  findContentKeys,
  findOldContent,
  findStalled,
  forgetContent,
} from './data/device-file-queries.ts';
import type { FileContentDeps } from './device-files-deps.ts';
import { endRequest } from './end-request.ts';

type SweepDeps = Pick<FileContentDeps, 'database' | 'changes' | 'contents'>;

/** Ends requests without progress, and deletes content whose links have expired. */
export async function sweepDeviceFiles(deps: SweepDeps): Promise<void> {
  const { database, contents } = deps;
  for (const { id } of await findStalled(database.orm, FILE_TRANSFER_PATIENCE_MS / 1_000))
    await endRequest(deps, { id, failure: 'not-answered' });
  const old = await findOldContent(database.orm, FILE_CONTENT_SECONDS);
  // Content first: without a row, it would be found only by the nightly search.
  for (const { storageKey } of old) if (storageKey !== null) await contents.remove(storageKey);
  if (old.length > 0)
    await forgetContent(
      database.orm,
      old.map(({ id }) => id),
    );
}

/** Deletes content without a request. */
export const deleteOrphanedContent = (
  { database, contents }: Pick<SweepDeps, 'database' | 'contents'>,
  before: Date,
): Promise<number> =>
  deleteOrphans(contents, before, (keys) => findContentKeys(database.orm, keys));
