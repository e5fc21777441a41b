import type { LiveChange, Watch } from '@deviceportal/contract/live-channel';

/** Whether a change matches a watch. */
export function matchesWatch(watch: Watch, change: LiveChange): boolean {
  switch (watch.kind) {
    case 'devices':
      return (
        (change.kind === 'device-status' || change.kind === 'device-changed') &&
        watch.ids.includes(change.id)
      );
    case 'run':
      return (
        (change.kind === 'run' && change.id === watch.id) ||
        (change.kind === 'invocation' && change.runId === watch.id)
      );
    case 'invocation':
      return (
        (change.kind === 'invocation' && change.id === watch.id) ||
        (change.kind === 'output' && change.invocationId === watch.id)
      );
    case 'audit-trail':
      return (
        change.kind === 'audit-trail' &&
        (watch.deviceId === null || watch.deviceId === change.deviceId)
      );
    case 'case':
      return change.kind === 'case' && change.id === watch.id;
    case 'fleet':
      return change.kind === 'fleet';
    case 'notifications':
      return change.kind === 'notifications';
  }
}
