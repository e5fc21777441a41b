import SpaceBetween from '@cloudscape-design/components/space-between';
import Box from '@cloudscape-design/components/box';
import type { ReactNode } from 'react';
import { useT } from '../../i18n/use-t.ts';
import { PortalLink } from '../../ui/portal-link.tsx';

/** The way to imports, which have a page of their own. */
export function ImportLink(): ReactNode {
  const t = useT();
  return (
    <SpaceBetween size="m">
      <Box>{t('devices.add.manyHint')}</Box>
      <PortalLink href="/imports">{t('devices.add.import')}</PortalLink>
    </SpaceBetween>
  );
}
