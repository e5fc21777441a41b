import type { LiveChange, Watch } from '@deviceportal/contract/live-channel';

/** What the tabs of one browser tell each other. */
export type TabMessage =
  | { readonly kind: 'watches'; readonly tab: string; readonly watches: readonly Watch[] }
  | { readonly kind: 'closed'; readonly tab: string }
  /** A new leader asks what everyone looks at. */
  | { readonly kind: 'leader' }
  | { readonly kind: 'live'; readonly connected: boolean }
  | { readonly kind: 'changes'; readonly changes: readonly LiveChange[] };

/** The union of what all tabs look at, cut to what one watch message may hold. */
export function mergeWatches(byTab: ReadonlyMap<string, readonly Watch[]>): Watch[] {
  const deviceIds = new Set<string>();
  const others = new Map<string, Watch>();
  for (const watch of [...byTab.values()].flat()) {
    if (watch.kind === 'devices') for (const id of watch.ids) deviceIds.add(id);
    else others.set(JSON.stringify(watch), watch);
  }
  const ids = [...deviceIds];
  const chunks: Watch[] = [];
  for (let from = 0; from < ids.length; from += DEVICES_PER_WATCH) {
    chunks.push({ kind: 'devices', ids: ids.slice(from, from + DEVICES_PER_WATCH) });
  }
  return [...others.values(), ...chunks].slice(0, WATCH_LIMIT);
}

/** The limits of `watchMessageSchema`. */
const DEVICES_PER_WATCH = 200;
const WATCH_LIMIT = 50;
