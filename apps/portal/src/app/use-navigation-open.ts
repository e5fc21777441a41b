import { useState, useSyncExternalStore } from 'react';
import { updatePreferences, usePreferences } from '../ui/preferences-store.ts';

/** Where the layout lays the navigation over the page (Cloudscape's breakpoint for phones). */
const narrow = matchMedia('(max-width: 688px)');

function subscribe(listener: () => void): () => void {
  narrow.addEventListener('change', listener);
  return () => narrow.removeEventListener('change', listener);
}

/** Open or closed is kept for the person on wide screens; on a phone it covers the page and begins closed. */
export function useNavigationOpen() {
  const isNarrow = useSyncExternalStore(subscribe, () => narrow.matches);
  const { navigationOpen = true } = usePreferences();
  const [openOnPhone, setOpenOnPhone] = useState(false);
  return {
    isOpen: isNarrow ? openOnPhone : navigationOpen,
    setOpen: (open: boolean): void => {
      if (isNarrow) setOpenOnPhone(open);
      else updatePreferences({ navigationOpen: open });
    },
  };
}
