import Alert from '@cloudscape-design/components/alert';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import type { DeviceDetail } from '@deviceportal/contract/devices';
import { useT } from '../../i18n/use-t.ts';
import { CopyableId } from '../../ui/copyable-id.tsx';

const unavailable = ['commands', 'secrets', 'health', 'files', 'undo'] as const;

/** That a device is managed by AWS Systems Manager, and what is not available on it; nothing for other devices. */
export function ManagedNote({ device }: { readonly device: DeviceDetail }): ReactNode {
  const t = useT();
  if (device.engine !== 'ssm') return null;
  const name = t('devices.managed.instanceId');
  return (
    <Alert type="info" header={t('devices.managed.title')}>
      <SpaceBetween size="xs">
        <span>
          {name} <CopyableId value={device.instanceId} name={name} />
        </span>
        <span>{t('devices.managed.body')}</span>
        <ul className="dp-managed-list">
          {unavailable.map((what) => (
            <li key={what}>{t(`devices.managed.without.${what}`)}</li>
          ))}
        </ul>
      </SpaceBetween>
    </Alert>
  );
}
