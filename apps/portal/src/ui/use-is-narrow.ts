import { useMediaQuery } from './use-media-query.ts';

/** Whether there is room for one column only: what stands side by side elsewhere stands one below the other. */
export function useIsNarrow(): boolean {
  return useMediaQuery('(max-width: 1199px)');
}
