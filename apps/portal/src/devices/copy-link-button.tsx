import Button from '@cloudscape-design/components/button';
import type { ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { useFlash } from '../shell/flash-store.ts';

/** The address as it stands, for a colleague. */
export function CopyLinkButton(): ReactNode {
  const t = useT();
  const flash = useFlash();
  return (
    <Button
      iconName="share"
      onClick={() =>
        void navigator.clipboard.writeText(location.href).then(
          () => flash.add({ type: 'success', content: t('devices.header.linkCopied') }),
          () => flash.add({ type: 'error', content: t('shell.copy.failed') }),
        )
      }
    >
      {t('devices.header.copyLink')}
    </Button>
  );
}
