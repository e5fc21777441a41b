import type { AuditType } from '@deviceportal/contract/audit-trail';

/** Events after which counters of devices may count a device differently. */
export const countedEventTypes: readonly AuditType[] = [
  'device.created',
  'device.updated',
  'device.labels-changed',
  'device.enrolled',
  'device.re-enrolled',
  'device.suspended',
  'device.resumed',
  'device.retired',
  'device.deleted',
  'device.connected',
  'device.disconnected',
  'device.degraded',
  'device.recovered',
  'device.inventory-changed',
];
