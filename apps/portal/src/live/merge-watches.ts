import type { Watch } from '@deviceportal/contract/live-channel';

/** The limits of `watchMessageSchema`. */
const DEVICES_PER_WATCH = 200;
const WATCH_LIMIT = 50;
/** Keeps the message below the server’s limit of 64 KiB. Other devices are polled. */
const MAX_DEVICES = 1_200;

/** The union of the watches of all tabs, limited to the size of one watch message. */
export function mergeWatches(all: readonly (readonly Watch[])[]): Watch[] {
  const deviceIds = new Set<string>();
  const others = new Map<string, Watch>();
  for (const watch of all.flat()) {
    if (watch.kind === 'devices') for (const id of watch.ids) deviceIds.add(id);
    else others.set(JSON.stringify(watch), watch);
  }
  const ids = [...deviceIds].slice(0, MAX_DEVICES);
  const chunks: Watch[] = [];
  for (let from = 0; from < ids.length; from += DEVICES_PER_WATCH) {
    chunks.push({ kind: 'devices', ids: ids.slice(from, from + DEVICES_PER_WATCH) });
  }
  return [...others.values(), ...chunks].slice(0, WATCH_LIMIT);
}
