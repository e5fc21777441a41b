import { useMediaQuery } from './use-media-query.ts';

/** Whether the page is only wide enough for one column. */
export function useIsNarrow(): boolean {
  return useMediaQuery('(max-width: 1199px)');
}
