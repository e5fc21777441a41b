import { useState } from 'react';
import { useMediaQuery } from '../ui/use-media-query.ts';
import { updatePreferences, usePreferences } from '../ui/preferences-store.ts';

/** Where the layout lays the navigation over the page (Cloudscape's breakpoint for phones). */
const NARROW = '(max-width: 688px)';

/** Open or closed is kept for the person on wide screens; on a phone it covers the page and begins closed. */
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
