import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { openFolder, openReports } from './file-folders.ts';
import type { FilePlace } from './file-place.ts';
import { directoryPlace, openFilePlace } from './open-file-place.ts';
import type { FileStore } from './file-store.ts';
import { createLocalCopies, type LocalCopies } from './local-copies.ts';

/** All files of an installation that rows refer to, or that users download: the same for all servers. */
export interface InstallationFiles {
  readonly software: FileStore;
  /** Files that devices uploaded. */
  readonly artifacts: FileStore;
  /** Content on its way from and to devices, for an hour. */
  readonly deviceFiles: FileStore;
  /** Archived months of the audit trail. */
  readonly archive: LocalCopies;
  /** Exports of the audit trail, their manifests and proofs, and records of people. */
  readonly exports: FileStore;
  readonly userReports: FileStore;
}

export interface FilePlaces {
  readonly files: FilePlace;
  /** The same, or elsewhere. */
  readonly reports: FilePlace;
}

const COPIES_LIMIT_BYTES = 4 * 1024 * 1024 * 1024;

/** @throws StartError if a place requires a package that is not installed */
export async function openFilePlaces({
  files,
  reports,
}: Pick<Config, 'files' | 'reports'>): Promise<FilePlaces> {
  return {
    files: await openFilePlace(files, 'DEVICEPORTAL_FILES'),
    reports: await openFilePlace(reports, 'DEVICEPORTAL_REPORT_LOCATION'),
  };
}

export function openFiles(
  { files, reports }: FilePlaces,
  { dataDir }: Pick<Config, 'dataDir'>,
): InstallationFiles {
  return {
    software: openFolder(files, 'software'),
    artifacts: openFolder(files, 'artifacts'),
    deviceFiles: openFolder(files, 'deviceFiles'),
    archive: createLocalCopies({
      files: openFolder(files, 'archive'),
      directory: join(dataDir, 'copies'),
      limitBytes: COPIES_LIMIT_BYTES,
    }),
    exports: openReports(reports, 'exports'),
    userReports: openReports(reports, 'userReports'),
  };
}

/** The archive in a data folder. */
export const openArchive = (dataDir: string): LocalCopies =>
  createLocalCopies({
    files: openFolder(directoryPlace(dataDir, 'DEVICEPORTAL_FILES'), 'archive'),
    directory: join(dataDir, 'copies'),
    limitBytes: COPIES_LIMIT_BYTES,
  });
