import { useSyncExternalStore } from 'react';

/** Below this, what stands side by side elsewhere stands one below the other. */
const narrow = matchMedia('(max-width: 1199px)');

/** Whether there is room for one column only. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(
    (listener) => {
      narrow.addEventListener('change', listener);
      return () => narrow.removeEventListener('change', listener);
    },
    () => narrow.matches,
  );
}
