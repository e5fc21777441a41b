import type { LiveChange, Watch } from '@deviceportal/contract/live-channel';

/**
 * What may have been missed while there was no connection, as news that makes screens ask again. States come anew from
 * the server with the watch; these are the kinds of which it only tells that they happened.
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
