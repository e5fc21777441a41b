import type { SoftwareReference } from '@deviceportal/contract/versions';
import type { Database } from '../../platform/database/database.ts';
import { selectInstallableFiles } from '../data/software-queries.ts';

/** The file from which devices install a version. */
export interface SoftwareFile extends SoftwareReference {
  readonly storageKey: string;
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** The files of these versions that may be installed: drafts may still change, and blocked versions must not run. */
export async function findSoftwareFiles(
  { database }: { readonly database: Pick<Database, 'orm'> },
  wanted: readonly SoftwareReference[],
): Promise<readonly SoftwareFile[]> {
  if (wanted.length === 0) return [];
  return selectInstallableFiles(database.orm, wanted);
}
