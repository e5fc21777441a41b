import Button from '@cloudscape-design/components/button';
import { Suspense, lazy, useState, type ReactNode } from 'react';
import type { DeviceDetail } from '@deviceportal/contract/devices';
import { useT } from '../i18n/use-t.ts';
import { useViewer } from '../session/viewer-context.tsx';

const OpenWebPageDialog = lazy(async () => ({
  default: (await import('./open-web-page-dialog.tsx')).OpenWebPageDialog,
}));

/** Asks for a web page of the device; nothing without the permission. */
export function OpenWebPageButton({ device }: { readonly device: DeviceDetail }): ReactNode {
  const t = useT();
  const { may } = useViewer();
  const [isAsked, setAsked] = useState(false);
  if (!may('web-pages:open') || device.engine !== 'agent' || device.lifecycle === 'retired')
    return null;
  return (
    <>
      <Button iconName="external" onClick={() => setAsked(true)}>
        {t('webPages.open')}
      </Button>
      <Suspense>
        {isAsked ? <OpenWebPageDialog device={device} onClose={() => setAsked(false)} /> : null}
      </Suspense>
    </>
  );
}
