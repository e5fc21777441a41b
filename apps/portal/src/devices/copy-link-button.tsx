import Button from '@cloudscape-design/components/button';
import type { ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { copyText } from '../ui/copy-text.ts';

/** Copies the address of the page. */
export function CopyLinkButton(): ReactNode {
  const t = useT();
  return (
    <Button
      iconName="share"
      onClick={() => copyText(location.href, t, t('devices.header.linkCopied'))}
    >
      {t('devices.header.copyLink')}
    </Button>
  );
}
