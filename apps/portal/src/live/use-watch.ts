import { useEffect, useRef } from 'react';
import type { Watch } from '@deviceportal/contract/live-channel';
import { loadConfig } from '../session/load-config.ts';
import { whenIdle } from '../ui/after-paint.ts';
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
    loadLiveChannel();
    const ends = wanted.map((watch) => addWatch(watch, (change) => latest.current(change)));
    return () => {
      for (const end of ends) end();
    };
  }, [key]);
}

let isRequested = false;

/**
 * Loads the live channel once, after the data on screen, and nothing in an installation without one. A failed request
 * of the settings is repeated by the next watch.
 */
function loadLiveChannel(): void {
  if (isRequested) return;
  isRequested = true;
  const start = async (): Promise<void> => {
    if ((await loadConfig()).livePath === null) return;
    const { startLiveChannel } = await import('./start-live-channel.ts');
    startLiveChannel();
  };
  whenIdle(() => {
    start().catch(() => {
      isRequested = false;
    });
  });
}
