import type { AuditEvent } from './audit-trail.ts';

/** Frequent events of low value: connection changes, views, command steps. */
const families: Readonly<Record<string, string>> = {
  'device.connected': 'connection',
  'device.disconnected': 'connection',
  'device.degraded': 'connection',
  'device.recovered': 'connection',
  'device.inventory-changed': 'inventory',
  'device.software-changed': 'inventory',
  'device.packages-changed': 'inventory',
  'device.location-viewed': 'look',
  'device.list-exported': 'export',
  'command.results-exported': 'export',
  'report.opened': 'look',
  'report.downloaded': 'look',
  'access.signed-in': 'sign-in',
  'access.signed-out': 'sign-in',
  'settings.preferences-changed': 'settings',
  'settings.notification-changed': 'settings',
  'command.sent': 'progress',
  'command.started': 'progress',
};

type Foldable = Pick<AuditEvent, 'type' | 'deviceId' | 'actor'>;

/** Whether consecutive events are grouped: same kind, device, and actor. */
export function areAlike(one: Foldable, other: Foldable): boolean {
  const family = families[one.type];
  return (
    family !== undefined &&
    family === families[other.type] &&
    one.deviceId === other.deviceId &&
    one.actor.kind === other.actor.kind &&
    one.actor.id === other.actor.id
  );
}
