import type { LiveChange, Watch } from '@deviceportal/contract/live-channel';

/**
 * Changes that may have been missed without a connection, as messages that make screens refresh.
 * The server sends device statuses again with the watch; these are the other kinds, which are only
 * reported as events.
 */
export function resumedChanges(watches: readonly Watch[]): LiveChange[] {
  return watches.flatMap((watch): LiveChange[] => {
    switch (watch.kind) {
      case 'devices':
        return watch.ids.map((id) => ({ kind: 'device-changed', id }));
      case 'audit-trail':
        return [{ kind: 'audit-trail', deviceId: watch.deviceId, count: 1 }];
      case 'case':
        return [{ kind: 'case', id: watch.id }];
      case 'fleet':
        return [{ kind: 'fleet' }];
      case 'notifications':
        return [{ kind: 'notifications' }];
      case 'run':
      case 'invocation':
        return [];
    }
  });
}
