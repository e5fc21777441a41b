import Button from '@cloudscape-design/components/button';
import { Suspense, lazy, useState, type ReactNode } from 'react';
import type { DeviceDetail } from '@deviceportal/contract/devices';
import { useT } from '../i18n/use-t.ts';
import { useViewer } from '../session/viewer-context.tsx';

const OpenTerminalDialog = lazy(async () => ({
  default: (await import('./open-terminal-dialog.tsx')).OpenTerminalDialog,
}));

/** Asks for a terminal; nothing without the permission. */
export function OpenTerminalButton({ device }: { readonly device: DeviceDetail }): ReactNode {
  const t = useT();
  const { may } = useViewer();
  const [isAsked, setAsked] = useState(false);
  if (!may('terminal:open') || device.engine !== 'agent' || device.lifecycle === 'retired')
    return null;
  return (
    <>
      <Button iconName="script" onClick={() => setAsked(true)}>
        {t('terminals.open')}
      </Button>
      <Suspense>
        {isAsked ? <OpenTerminalDialog device={device} onClose={() => setAsked(false)} /> : null}
      </Suspense>
    </>
  );
}
