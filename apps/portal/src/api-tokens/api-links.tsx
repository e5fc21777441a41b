import Link from '@cloudscape-design/components/link';
import type { ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { PortalLink } from '../ui/portal-link.tsx';

/** The guide of the API, and its reference. */
export function ApiLinks(): ReactNode {
  const t = useT();
  return (
    <>
      <PortalLink href="/guides/api">{t('apiTokens.guide')}</PortalLink>{' '}
      <Link href="/api/docs" external fontSize="inherit">
        {t('apiTokens.reference')}
      </Link>
    </>
  );
}
