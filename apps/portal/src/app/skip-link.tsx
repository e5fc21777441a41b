import type { ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';

/** The first focusable element, which skips the navigation. */
export function SkipLink(): ReactNode {
  const t = useT();
  return (
    <nav aria-label={t('app.skip')}>
      <a
        className="dp-skip"
        href="#main-content"
        onClick={(event) => {
          // Keeps the hash of the URL, which belongs to the page.
          event.preventDefault();
          document.getElementById('main-content')?.focus();
        }}
      >
        {t('app.skip')}
      </a>
    </nav>
  );
}
