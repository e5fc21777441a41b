import type { FileStore } from '../../../platform/files/file-store.ts';
import type { ArchivePeriod } from '../../data/archive/archive-file-queries.ts';

export interface PresentFiles {
  readonly present: readonly ArchivePeriod[];
  /** Months whose file is missing. */
  readonly gaps: readonly string[];
}

/** Which files the store has, without reading them. */
export async function findPresentFiles(
  files: Pick<FileStore, 'find'>,
  wanted: readonly ArchivePeriod[],
): Promise<PresentFiles> {
  const found = await Promise.all(
    wanted.map(async (each) => ({ each, exists: (await files.find(each.file)) !== undefined })),
  );
  return {
    present: found.filter(({ exists }) => exists).map(({ each }) => each),
    gaps: [...new Set(found.filter(({ exists }) => !exists).map(({ each }) => each.month))],
  };
}
