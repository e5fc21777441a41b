import { randomBytes } from 'node:crypto';
import type { ArchiveContext } from './archive-context.ts';
import { openChainList, timeKey } from './archive-places.ts';
import { KeptChain, readChainState, type ChainState } from './chain-state.ts';
import { switchSegment } from './ship-changes.ts';
import { emptySpool } from './wal-spool.ts';

/** Begins a chain without copies. Its first complete copy must begin after this. */
export async function beginChain(context: ArchiveContext): Promise<KeptChain> {
  const { place, dataDir, clock } = context;
  const id = `${timeKey(clock())}-${randomBytes(4).toString('hex')}`;
  await emptySpool(dataDir);
  // Also ends a gap: from now on, each segment is spooled.
  const lastSegment = await switchSegment(context);
  const cluster = await readClusterId(context);
  const state: ChainState = {
    id,
    cluster,
    lastSegment,
    keysDigest: null,
    copies: {},
    missingSince: {},
  };
  await openChainList(place).put(id, text(id));
  const chain = new KeptChain(dataDir, state);
  await chain.change({});
  return chain;
}

async function* text(id: string): AsyncGenerator<string> {
  yield `${id}\n`;
}

async function readClusterId({ database }: ArchiveContext): Promise<string> {
  const { rows } = await database.pool.query<{ id: string }>(
    'select system_identifier::text as id from pg_control_system()',
  );
  return rows[0]?.id ?? '';
}

/** The chain of this cluster, if it has one. */
export async function resumeChain(context: ArchiveContext): Promise<KeptChain | undefined> {
  const state = await readChainState(context.dataDir);
  if (state === undefined || state.cluster !== (await readClusterId(context))) return undefined;
  return new KeptChain(context.dataDir, state);
}
