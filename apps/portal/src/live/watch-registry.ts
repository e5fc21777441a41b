import type { LiveChange, Watch } from '@deviceportal/contract/live-channel';
import { matchesWatch } from './matches-watch.ts';

export type ChangeListener = (change: LiveChange) => void;

interface Entry {
  readonly watch: Watch;
  readonly listener: ChangeListener;
}

const entries = new Set<Entry>();
const afterChange = new Set<() => void>();

/** Adds a watch. Returns a function that removes it. */
export function addWatch(watch: Watch, listener: ChangeListener): () => void {
  const entry: Entry = { watch, listener };
  entries.add(entry);
  for (const each of afterChange) each();
  return () => {
    entries.delete(entry);
    for (const each of afterChange) each();
  };
}

/** The unique watches of this tab. */
export function currentWatches(): Watch[] {
  const byKey = new Map<string, Watch>();
  for (const { watch } of entries) byKey.set(JSON.stringify(watch), watch);
  return [...byKey.values()];
}

export function onWatchesChange(listener: () => void): () => void {
  afterChange.add(listener);
  return () => afterChange.delete(listener);
}

/** Calls the listeners of all watches that match a change. */
export function deliver(change: LiveChange): void {
  for (const { watch, listener } of entries) if (matchesWatch(watch, change)) listener(change);
}
