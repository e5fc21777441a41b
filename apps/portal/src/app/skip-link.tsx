import type { ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';

/** The first thing that Tab reaches: past navigation, to the page. */
export function SkipLink(): ReactNode {
  const t = useT();
  return (
    <nav aria-label={t('app.skip')}>
      <a
        className="dp-skip"
        href="#main-content"
        onClick={(event) => {
          // Without the hash in the URL, which belongs to the page.
          event.preventDefault();
          document.getElementById('main-content')?.focus();
        }}
      >
        {t('app.skip')}
      </a>
    </nav>
  );
}
