import { useEffect, useRef } from 'react';
import type { Watch } from '@deviceportal/contract/live-channel';
import { loadConfig } from '../session/load-config.ts';
import { addWatch, type ChangeListener } from './watch-registry.ts';

/**
 * Tells of changes of what this screen looks at, for as long as it is shown; `null` looks at nothing. The first watch
 * of a page loads the live channel. Everything must work without it: poll, and let this only be quicker.
 */
export function useWatch(watch: Watch | null, onChange: ChangeListener): void {
  useWatches(watch === null ? [] : [watch], onChange);
}

/** The same for several things at once. */
export function useWatches(watches: readonly Watch[], onChange: ChangeListener): void {
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  const key = JSON.stringify(watches);
  useEffect(() => {
    const wanted = JSON.parse(key) as Watch[];
    if (wanted.length === 0) return undefined;
    void loadLiveChannel();
    const ends = wanted.map((watch) => addWatch(watch, (change) => latest.current(change)));
    return () => {
      for (const end of ends) end();
    };
  }, [key]);
}

/** Where an installation has no live channel, nothing of it is loaded. */
async function loadLiveChannel(): Promise<void> {
  if ((await loadConfig()).livePath === null) return;
  const { startLiveChannel } = await import('./start-live-channel.ts');
  startLiveChannel();
}
