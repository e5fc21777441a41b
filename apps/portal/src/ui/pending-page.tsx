import Spinner from '@cloudscape-design/components/spinner';
import type { ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';

/** Shown while the chunk of a page takes longer than a second to load. */
export function PendingPage(): ReactNode {
  const t = useT();
  return (
    <output className="dp-pending">
      <Spinner size="large" />
      <span className="dp-visually-hidden">{t('app.table.loading')}</span>
    </output>
  );
}
