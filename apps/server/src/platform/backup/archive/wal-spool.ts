import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Folder beside the cluster into which PostgreSQL copies finished segments of its write-ahead log, until they are in the
 * backup location.
 */
export const spoolDirOf = (dataDir: string): string => join(dataDir, 'postgres-archive');

/** 4 GiB. Beyond, changes are no longer archived, so that a full disk does not stop the database. */
const SPOOLED_SEGMENTS = 256;
/** Marks that segments were dropped. */
const GAP = 'gap';

/**
 * PostgreSQL's `archive_command`. A copy is durable before it has its name. `%f` is the name and `%p` the path of a segment.
 */
export function archiveCommand(dataDir: string): string {
  const spool = quoted(spoolDirOf(dataDir));
  const [copy, segment, gap] = [`${spool}/.%f`, `${spool}/%f`, `${spool}/${GAP}`];
  return [
    `if [ -e ${gap} ]; then exit 0; fi`,
    `if [ "$(ls ${spool} | wc -l)" -gt ${SPOOLED_SEGMENTS} ]; then : > ${gap}; exit 0; fi`,
    `cp "%p" ${copy} && sync ${copy} && mv ${copy} ${segment}`,
  ].join('; ');
}

/** For the shell, and for PostgreSQL, which replaces `%`. */
const quoted = (path: string): string => `'${path.replaceAll('%', '%%').replaceAll("'", `'\\''`)}'`;

export interface SpooledFiles {
  /** Segments and histories, in the order in which they were written. */
  readonly names: readonly string[];
  /** Whether segments were dropped. */
  readonly hasGap: boolean;
}

export async function readSpool(dataDir: string): Promise<SpooledFiles> {
  const names = await readdir(spoolDirOf(dataDir));
  return {
    names: names.filter((name) => /^[0-9A-F]{8}/.test(name)).toSorted(),
    hasGap: names.includes(GAP),
  };
}

export const removeSpooled = (dataDir: string, name: string): Promise<void> =>
  rm(join(spoolDirOf(dataDir), name), { force: true });

/** Drops all segments. The gap mark is removed last: until then, PostgreSQL adds none. */
export async function emptySpool(dataDir: string): Promise<void> {
  for (const name of (await readSpool(dataDir)).names) await removeSpooled(dataDir, name);
  await removeSpooled(dataDir, GAP);
}
