import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { createDirectoryFiles } from './directory-files.ts';
import type { FileStore } from './file-store.ts';
import { createLocalCopies, type LocalCopies } from './local-copies.ts';

/** All files of an installation that rows refer to, or that users download: the same for all servers. */
export interface InstallationFiles {
  readonly software: FileStore;
  /** Files that devices uploaded. */
  readonly artifacts: FileStore;
  /** Archived months of the audit trail. */
  readonly archive: LocalCopies;
  /** Exports of the audit trail, their manifests and proofs, and records of people. */
  readonly exports: FileStore;
  readonly userReports: FileStore;
}

const COPIES_LIMIT_BYTES = 4 * 1024 * 1024 * 1024;

export function openFiles({
  dataDir,
  reportDir,
}: Pick<Config, 'dataDir' | 'reportDir'>): InstallationFiles {
  return {
    software: createDirectoryFiles(join(dataDir, 'software'), 'spread'),
    artifacts: createDirectoryFiles(join(dataDir, 'artefacts'), 'spread'),
    archive: openArchive(dataDir),
    exports: createDirectoryFiles(join(reportDir, 'exports')),
    userReports: createDirectoryFiles(join(reportDir, 'user-reports')),
  };
}

/** The archive in a data folder. */
export const openArchive = (dataDir: string): LocalCopies =>
  createLocalCopies({
    files: createDirectoryFiles(join(dataDir, 'audit-trail'), 'nested'),
    directory: join(dataDir, 'copies'),
    limitBytes: COPIES_LIMIT_BYTES,
  });
