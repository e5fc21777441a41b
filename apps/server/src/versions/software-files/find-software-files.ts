import type { SoftwareReference } from '@deviceportal/contract/versions';
import type { Database } from '../../platform/database/database.ts';
import { selectInstallableFiles } from '../data/software-queries.ts';

/** The file that devices install a version from. */
export interface SoftwareFile extends SoftwareReference {
  readonly storageKey: string;
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** Of these versions the files that may be installed: a draft may still change, and a blocked version must not run. */
export async function findSoftwareFiles(
  { database }: { readonly database: Pick<Database, 'orm'> },
  wanted: readonly SoftwareReference[],
): Promise<readonly SoftwareFile[]> {
  if (wanted.length === 0) return [];
  return selectInstallableFiles(database.orm, wanted);
}
