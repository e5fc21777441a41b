import { useEffect } from 'react';
import { whenReplaced } from './chunk-state.ts';
import { loadNewRelease } from './is-release-replaced.ts';

/** Fallback of parts without which a page is useless: loads the new release if it has replaced them. */
export function ChunkFallback(): null {
  useEffect(() => whenReplaced(() => void loadNewRelease()), []);
  return null;
}
