import type { LiveChange, Watch } from '@deviceportal/contract/live-channel';
import { concerns } from './concerns.ts';

export type ChangeListener = (change: LiveChange) => void;

interface Entry {
  readonly watch: Watch;
  readonly listener: ChangeListener;
}

const entries = new Set<Entry>();
const afterChange = new Set<() => void>();

/** Says what a screen looks at; answers how to stop. */
export function addWatch(watch: Watch, listener: ChangeListener): () => void {
  const entry: Entry = { watch, listener };
  entries.add(entry);
  for (const each of afterChange) each();
  return () => {
    entries.delete(entry);
    for (const each of afterChange) each();
  };
}

/** Everything this tab looks at, each thing once. */
export function currentWatches(): Watch[] {
  const byKey = new Map<string, Watch>();
  for (const { watch } of entries) byKey.set(JSON.stringify(watch), watch);
  return [...byKey.values()];
}

export function onWatchesChange(listener: () => void): () => void {
  afterChange.add(listener);
  return () => afterChange.delete(listener);
}

/** Hands a change to the screens that look at it. */
export function deliver(change: LiveChange): void {
  for (const { watch, listener } of entries) if (concerns(watch, change)) listener(change);
}
