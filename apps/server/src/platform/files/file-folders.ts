import type { S3FilesConfig } from '../config/config.ts';
import type { FilePlace } from './file-place.ts';
import type { FileStore } from './file-store.ts';

/** Files that rows refer to, in the order in which a copy is most needed. */
const folders = {
  archive: { path: ['audit-trail'], layout: 'nested' },
  software: { path: ['software'], layout: 'spread' },
  artifacts: { path: ['artefacts'], layout: 'spread' },
  deviceFiles: { path: ['device-files'], layout: 'spread' },
} as const;

const reportFolders = { exports: 'exports', userReports: 'user-reports' } as const;

export const openFolder = (place: FilePlace, name: keyof typeof folders): FileStore =>
  place.open(folders[name].path, folders[name].layout);

/** `s3://bucket/prefix/folder/`: its files by their keys. */
export const locationOfFolder = (
  { bucket, prefix }: Pick<S3FilesConfig, 'bucket' | 'prefix'>,
  name: keyof typeof folders,
): string => `${['s3:/', bucket, ...prefix, ...folders[name].path].join('/')}/`;

export const openReports = (
  place: FilePlace,
  name: keyof typeof reportFolders,
  within: readonly string[] = [],
): FileStore => place.open([...within, reportFolders[name]]);

/** All stores of a place. */
export function openAllFolders(
  place: FilePlace,
  /** The folder of reports, unless they are elsewhere. */
  reports: readonly string[] | undefined,
): FileStore[] {
  const names = Object.keys(folders) as (keyof typeof folders)[];
  const files = names.map((name) => openFolder(place, name));
  if (reports === undefined) return files;
  const reportNames = Object.keys(reportFolders) as (keyof typeof reportFolders)[];
  return [...files, ...reportNames.map((name) => openReports(place, name, reports))];
}
