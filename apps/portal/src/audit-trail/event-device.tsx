import type { ReactNode } from 'react';
import type { AuditEvent } from '@deviceportal/contract/audit-trail';
import { PortalLink } from '../ui/portal-link.tsx';

/** The device of an event, by its serial number if it has one. */
export function EventDevice({ event }: { readonly event: AuditEvent }): ReactNode {
  if (event.deviceId === null) return '-';
  return (
    <PortalLink href={`/devices/${event.deviceId}`}>
      {event.serialNumber ?? event.deviceName ?? event.deviceId}
    </PortalLink>
  );
}
