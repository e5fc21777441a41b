import type { FilePlace } from '../../files/file-place.ts';
import type { FileStore, FoundFile } from '../../files/file-store.ts';
import { openChain, openChainFolder, openChainList, timeOfKey } from './archive-places.ts';
import type { ChainState } from './chain-state.ts';
import { SEGMENT } from './wal-names.ts';

const MANIFEST = '.manifest';
const CLUSTER = '.cluster';

/**
 * Deletes what no restore to a time after `before` needs, and interrupted copies. The newest complete copy and what follows
 * it are always kept.
 *
 * @returns the IDs of the copies that are kept
 */
export async function pruneChains(
  place: FilePlace,
  state: ChainState,
  before: Date,
): Promise<readonly string[]> {
  const copies = openChainFolder(place, state.id, 'copies');
  const found = await allOf(copies);
  const complete = found
    .filter(({ key }) => key.endsWith(MANIFEST))
    .map(({ key }) => key.slice(0, -MANIFEST.length))
    .toSorted();
  // A copy is needed as long as the next one is not old enough to replace it.
  const needed = complete.filter(
    (_, index) => index === complete.length - 1 || timeOfKey(complete[index + 1] ?? '') > before,
  );
  for (const { key } of found) {
    const id = key.replace(/\.(manifest|cluster)$/, '');
    const isUnfinished = key.endsWith(CLUSTER) && !complete.includes(id);
    if (isUnfinished || (complete.includes(id) && !needed.includes(id))) await copies.remove(key);
  }
  const [oldest] = needed;
  if (oldest === undefined) return [];
  await pruneLog(place, state.id, state.copies[oldest]);
  await pruneFiles(place, state, before);
  await pruneOtherChains(place, state.id, before);
  return needed;
}

async function pruneLog(
  place: FilePlace,
  id: string,
  firstSegment: string | undefined,
): Promise<void> {
  if (firstSegment === undefined) return;
  const log = openChainFolder(place, id, 'log');
  for (const { key } of await allOf(log)) {
    if (SEGMENT.test(key) && key < firstSegment) await log.remove(key);
  }
}

async function pruneFiles(place: FilePlace, state: ChainState, before: Date): Promise<void> {
  const chain = openChain(place, state.id);
  for (const [name, since] of Object.entries(state.missingSince)) {
    if (new Date(since) >= before) continue;
    const [folder = '', ...rest] = name.split('/');
    const { store, key } = chain.files[folder as keyof typeof chain.files](rest.join('/'));
    await store.remove(key);
  }
}

/** Chains of earlier data folders and before gaps, once their last change is too old. */
async function pruneOtherChains(place: FilePlace, own: string, before: Date): Promise<void> {
  const chains = openChainList(place);
  for (const { key: id, modifiedAt } of await allOf(chains)) {
    if (id === own) continue;
    let newest = modifiedAt;
    for (const found of await allOf(openChainFolder(place, id, 'log'))) {
      if (found.modifiedAt > newest) newest = found.modifiedAt;
    }
    if (newest >= before) continue;
    for (const folder of openChain(place, id).folders) {
      const store = openChainFolder(place, id, folder);
      for (const { key } of await allOf(store)) await store.remove(key);
    }
    await chains.remove(id);
  }
}

async function allOf(store: FileStore): Promise<readonly FoundFile[]> {
  const found: FoundFile[] = [];
  for await (const each of store.list('')) found.push(each);
  return found;
}
