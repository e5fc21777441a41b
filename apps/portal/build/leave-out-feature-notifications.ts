import type { Plugin } from 'vite';

const STAND_IN = '\0no-feature-notifications';

/**
 * Replaces the drawer for feature announcements in Cloudscape’s application layout by an empty
 * module. It contains a sortable list with drag and drop, 30 kB gzip, and is never shown in the
 * portal.
 */
export function leaveOutFeatureNotifications(): Plugin {
  return {
    name: 'leave-out-feature-notifications',
    enforce: 'pre',
    apply: 'build',
    resolveId(source) {
      return source.endsWith('/feature-notifications-drawer-content') ||
        source.endsWith('/feature-notifications-drawer-content.js')
        ? STAND_IN
        : null;
    },
    load(id) {
      return id === STAND_IN
        ? 'export default () => null; export const RuntimeContentPart = () => null;'
        : null;
    },
  };
}
