import Badge from '@cloudscape-design/components/badge';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { ReactNode } from 'react';
import type { DeviceRow } from '@deviceportal/contract/devices';
import { useT } from '../../i18n/use-t.ts';
import { PortalLink } from '../../ui/portal-link.tsx';

/** A link to the device, also without a serial number. */
export function SerialLink({ row }: { readonly row: DeviceRow }): ReactNode {
  const t = useT();
  return (
    <span data-device={row.id}>
      <PortalLink href={`/devices/${row.id}`}>
        {row.serialNumber ?? t('devices.noSerialNumber')}
      </PortalLink>
    </span>
  );
}

/** The most severe finding, and the number of other findings. */
export function FindingsCell({ findings }: Pick<DeviceRow, 'findings'>): ReactNode {
  const t = useT();
  const [worst, ...others] = findings;
  if (worst === undefined) return '-';
  return (
    <StatusIndicator type={worst.severity}>
      {t(`devices.finding.${worst.rule}`)}
      {others.length > 0 ? ` +${others.length}` : ''}
    </StatusIndicator>
  );
}

export function Labels({ labels }: { readonly labels: DeviceRow['labels'] }): ReactNode {
  const entries = Object.entries(labels);
  if (entries.length === 0) return '-';
  return (
    <SpaceBetween direction="horizontal" size="xxs">
      {entries.map(([key, value]) => (
        <Badge key={key}>{value === '' ? key : `${key}: ${value}`}</Badge>
      ))}
    </SpaceBetween>
  );
}
