import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sealOf, type ArchiveContext } from './archive-context.ts';
import { openChain, type ChainPlaces } from './archive-places.ts';
import type { KeptChain } from './chain-state.ts';
import { copyKeys, copyNewFiles } from './copy-files-and-keys.ts';
import { putSealed } from './sealed-object.ts';
import { HISTORY, nextSegment, SEGMENT } from './wal-names.ts';
import { readSpool, removeSpooled, spoolDirOf } from './wal-spool.ts';

const SPOOL_WAIT_MS = 60_000;
const SPOOL_POLL_MS = 50;

/** Segments are missing in the chain: another one must begin. */
export class ChainBroken extends Error {
  override readonly name = 'ChainBroken';
}

/**
 * Stores all changes up to now: first the files and keys that exist by now, then the segments of the write-ahead log.
 *
 * @returns the time up to which changes are stored
 * @throws ChainBroken
 */
export async function shipChanges(context: ArchiveContext, kept: KeptChain): Promise<Date> {
  const chain = openChain(context.place, kept.state.id);
  const until = context.clock();
  const newest = await switchSegment(context);
  const keysDigest = await copyKeys(context, chain, kept.state.keysDigest);
  const missingSince = await copyNewFiles(context, chain, kept.state);
  await kept.change({ keysDigest, missingSince });
  if (newest <= kept.state.lastSegment) return until;
  for (const name of await spooledUpTo(context.dataDir, newest)) {
    await shipOne(context, { chain, kept }, name);
  }
  return until;
}

/**
 * Finishes the current segment if it has changes. Returns the name of the last finished one.
 * @throws Error if the database does not archive
 */
export async function switchSegment({
  database,
}: Pick<ArchiveContext, 'database'>): Promise<string> {
  // Without changes, the position is the beginning of the next segment.
  const { rows } = await database.pool.query<{ mode: string; segment: string }>(
    "select current_setting('archive_mode') as mode, pg_walfile_name(pg_switch_wal() - 1) as segment",
  );
  if (rows[0]?.mode !== 'on') {
    throw new Error('the database was started without an archive; restart the server');
  }
  return rows[0].segment;
}

async function spooledUpTo(dataDir: string, newest: string): Promise<readonly string[]> {
  const deadline = Date.now() + SPOOL_WAIT_MS;
  for (;;) {
    const { names, hasGap } = await readSpool(dataDir);
    if (hasGap) throw new ChainBroken('changes were not archived, because too many were waiting');
    const isComplete = names.some((name) => SEGMENT.test(name) && name >= newest);
    if (isComplete) return names.filter((name) => !SEGMENT.test(name) || name <= newest);
    if (Date.now() > deadline) throw new Error('PostgreSQL does not archive its write-ahead log');
    await sleep(SPOOL_POLL_MS);
  }
}

async function shipOne(
  context: ArchiveContext,
  { chain, kept }: { readonly chain: ChainPlaces; readonly kept: KeptChain },
  name: string,
): Promise<void> {
  const { dataDir } = context;
  const { lastSegment } = kept.state;
  const isNew = SEGMENT.test(name) && name > lastSegment;
  if (isNew && name !== nextSegment(lastSegment)) {
    throw new ChainBroken(`the changes between ${lastSegment} and ${name} were not archived`);
  }
  if (isNew || HISTORY.test(name)) {
    const read = async () => createReadStream(join(spoolDirOf(dataDir), name));
    await putSealed(chain.log(name), read, sealOf(context));
  }
  if (isNew) await kept.change({ lastSegment: name });
  await removeSpooled(dataDir, name);
}
