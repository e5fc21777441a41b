import { useEffect, useRef } from 'react';
import type { Watch } from '@deviceportal/contract/live-channel';
import { loadConfig } from '../session/load-config.ts';
import { addWatch, type ChangeListener } from './watch-registry.ts';

/**
 * Reports changes of a watched object while the screen is shown. `null` watches nothing. The first
 * watch of a page loads the live channel. Screens must also poll, because the channel only makes
 * updates faster.
 */
export function useWatch(watch: Watch | null, onChange: ChangeListener): void {
  useWatches(watch === null ? [] : [watch], onChange);
}

/** Watches several objects. */
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

/** Loads nothing in an installation without a live channel. */
async function loadLiveChannel(): Promise<void> {
  if ((await loadConfig()).livePath === null) return;
  const { startLiveChannel } = await import('./start-live-channel.ts');
  startLiveChannel();
}
