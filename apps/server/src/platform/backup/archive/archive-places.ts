import { z } from 'zod';
import type { DirectoryLayout } from '../../files/directory-files.ts';
import type { FilePlace } from '../../files/file-place.ts';
import { writtenKeySchema } from '../../secrets/written-key.ts';
import type { CONTENT_FOLDERS } from '../backup-format.ts';
import type { ArchiveObject } from './sealed-object.ts';

/**
 * A chain: complete copies of a cluster, and all segments of its write-ahead log since the first one. A data folder has one
 * chain; it begins another one if segments are missing.
 */
export interface ChainPlaces {
  readonly id: string;
  /** The cluster of each copy (`ID.cluster`), and its manifest (`ID.manifest`), which is stored last. */
  readonly copies: (key: string) => ArchiveObject;
  readonly log: (segment: string) => ArchiveObject;
  /** Keys and certificates of the data folder, whenever they changed: `ID`. */
  readonly keys: (key: string) => ArchiveObject;
  /** Files that rows refer to, if they are in the data folder. */
  readonly files: Readonly<Record<ContentFolder, (key: string) => ArchiveObject>>;
  readonly folders: readonly ChainFolder[];
}

export type ContentFolder = (typeof CONTENT_FOLDERS)[number];
export type ChainFolder = 'copies' | 'log' | 'keys' | ContentFolder;

export const layouts: Readonly<Record<ChainFolder, DirectoryLayout>> = {
  ...{ copies: 'flat', log: 'flat', keys: 'flat' },
  ...{ software: 'spread', artefacts: 'spread', 'audit-trail': 'nested' },
};
const FOLDERS = Object.keys(layouts) as readonly ChainFolder[];

export const openChain = (place: FilePlace, id: string): ChainPlaces => {
  const within = (folder: ChainFolder) => {
    const store = openChainFolder(place, id, folder);
    return (key: string): ArchiveObject => ({ store, key, name: `${id}/${folder}/${key}` });
  };
  return {
    id,
    copies: within('copies'),
    log: within('log'),
    keys: within('keys'),
    files: {
      software: within('software'),
      artefacts: within('artefacts'),
      'audit-trail': within('audit-trail'),
    },
    folders: FOLDERS,
  };
};

export const openChainFolder = (place: FilePlace, id: string, folder: ChainFolder) =>
  place.open([id, folder], layouts[folder]);

/** One key for each chain: its ID. */
export const openChainList = (place: FilePlace) => place.open(['chains']);

/** Scheduled backups of an external database. */
export const openCompleteBackups = (place: FilePlace) => place.open(['complete']);

/** Restores that were tried: one key for each, with its time. */
export const openTrials = (place: FilePlace) => place.open(['trials']);

/** UTC time as a part of a key, in order of time: `20260102T030405Z`. */
export const timeKey = (at: Date): string =>
  at.toISOString().replaceAll(/[-:]/g, '').replace(/\.\d+/, '');

export function timeOfKey(key: string): Date {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/.exec(key) ?? [];
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

/** What is known of a complete copy of a cluster. */
export const copyManifestSchema = z.object({
  startedAt: z.iso.datetime(),
  /** From this time on, the copy can be restored. */
  endedAt: z.iso.datetime(),
  postgresMajor: z.int().positive(),
  /** First segment that a restore needs. */
  firstSegment: z.string().regex(/^[0-9A-F]{24}$/),
  /** PostgreSQL's `backup_label`. */
  label: z.string(),
  /** Of the stored cluster: uncompressed. */
  sha256: z.string(),
  bytes: z.int().nonnegative(),
  /** Public keys that sealed the audit trail, newest first. */
  auditKeys: z.array(writtenKeySchema),
});
export type CopyManifest = z.infer<typeof copyManifestSchema>;
