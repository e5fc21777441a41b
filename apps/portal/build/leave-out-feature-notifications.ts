import type { Plugin } from 'vite';

const STAND_IN = '\0no-feature-notifications';

/**
 * Cloudscape's application layout carries a drawer for announcing new features, with a sortable list and its drag and
 * drop: 30 kB gzip that this portal never shows. Nothing stands in its place.
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
