import { useState } from 'react';
import { useMediaQuery } from '../ui/use-media-query.ts';
import { updatePreferences, usePreferences } from '../ui/preferences-store.ts';

/** The width up to which Cloudscape shows the navigation as an overlay. */
const NARROW = '(max-width: 688px)';

/**
 * The state of the navigation. Stored on wide screens; on narrow ones it starts closed, because it
 * covers the page.
 */
export function useNavigationOpen() {
  const isNarrow = useMediaQuery(NARROW);
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
