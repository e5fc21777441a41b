import type { Plugin } from 'vite';

interface Replacement {
  /** The end of the path of the module. */
  readonly module: string;
  readonly code: string;
}

/** Modules that libraries import, and that the portal never uses. Sizes are in gzip. */
const unused: readonly Replacement[] = [
  {
    // Announcements of features, with a prompt and a sortable list: 35 kB.
    module: '/visual-refresh-toolbar/state/use-feature-notifications.js',
    code: `
      const nothing = () => null;
      export const useFeatureNotifications = () => ({
        featureNotificationsProps: { renderLatestFeaturePrompt: nothing, drawer: null },
        onOpenFeatureNotificationsDrawer: nothing,
        featureNotificationsMessageHandler: nothing,
      });`,
  },
  // Drawers that other scripts add to a page of the AWS console: 6 kB.
  {
    module: '/visual-refresh-toolbar/drawer/global-ai-drawer.js',
    code: 'export const AppLayoutGlobalAiDrawerImplementation = () => null;',
  },
  {
    module: '/visual-refresh-toolbar/drawer/global-bottom-drawer.js',
    code: 'export const AppLayoutBottomDrawerWrapper = () => null;',
  },
  {
    module: '/visual-refresh-toolbar/drawer/global-drawers.js',
    code: 'export const AppLayoutGlobalDrawersImplementation = () => null;',
  },
  // Measurement of the AWS console: 3 kB.
  {
    module: '/internal/analytics/components/analytics-funnel.js',
    code: `
      export const AnalyticsFunnel = ({ children }) => children;
      export const AnalyticsFunnelStep = ({ children }) => children;
      export const AnalyticsFunnelSubStep = ({ children }) => children;`,
  },
  {
    module: '/internal/hooks/use-table-interaction-metrics/index.js',
    code: `
      const nothing = { tableInteractionAttributes: {}, setLastUserAction: () => undefined };
      export const useTableInteractionMetrics = () => nothing;`,
  },
  {
    module: '/internal/base-component/component-metrics.js',
    code: 'export const useComponentMetrics = () => undefined;',
  },
  // Names and versions of components on their elements, for the AWS console, after every render of each component.
  {
    module: '/mjs/internal/base-component/component-metadata.js',
    code: `
      import { useRef } from 'react';
      export const COMPONENT_METADATA_KEY = '__awsuiMetadata__';
      export const useComponentMetadata = () => useRef(null);`,
  },
  // Looks for missing styles, once for each of several hundred components, a second after the page has loaded.
  {
    module: '/internal/hooks/use-base-component/styles-check.js',
    code: 'export const useMissingStylesCheck = () => undefined;',
  },
  // Tables whose cells are edited in place: 3 kB.
  {
    module: '/table/body-cell/inline-editor.js',
    code: 'export const InlineEditor = () => null;',
  },
  {
    module: '/table/body-cell/disabled-inline-editor.js',
    code: 'export const DisabledInlineEditor = () => null;',
  },
  {
    module: '/table/use-cell-editing.js',
    code: `
      const never = () => false;
      const nothing = () => undefined;
      const editing = {
        isLoading: false,
        startEdit: nothing,
        cancelEdit: nothing,
        completeEdit: nothing,
        checkEditing: never,
        checkLastSuccessfulEdit: never,
        submitEdit: undefined,
      };
      export const useCellEditing = () => editing;`,
  },
  // Groups of columns, of rows that are selected together, and of rows that are loaded later: 5 kB.
  {
    module: '/table/column-groups/use-column-groups.js',
    code: 'const none = { rows: [], groupColumnMap: undefined }; export const useColumnGroups = () => none;',
  },
  {
    module: '/table/column-groups/utils.js',
    code: 'export const getColumnGroupsDepth = () => 0;',
  },
  {
    module: '/table/column-groups/split-utils.js',
    code: 'export const getGroupColumnIds = () => []; export const getGroupSplit = () => ({});',
  },
  {
    module: '/table/column-groups/col-group.js',
    code: 'export const TableColGroup = () => null;',
  },
  {
    module: '/table/header-cell/group-header-cell.js',
    code: 'export const TableGroupHeaderCell = () => null;',
  },
  {
    module: '/table/selection/use-group-selection.js',
    code: 'const none = { isItemSelected: () => false }; export const useGroupSelection = () => none;',
  },
  {
    module: '/table/progressive-loading/items-loader.js',
    code: 'export const getLoaderContent = () => null;',
  },
  {
    module: '/table/progressive-loading/loader-cell.js',
    code: 'export const TableLoaderCell = () => null;',
  },
  // Tables that are sorted by several columns: 2 kB.
  {
    module: '/table/multi-column-sort/live-announcement.js',
    code: 'export const SortLiveAnnouncement = () => null;',
  },
  {
    module: '/table/multi-column-sort/utils.js',
    code: `
      const same = (current) => current;
      export const getSortIndex = () => null;
      export {
        same as appendSort,
        same as removeSort,
        same as replaceSort,
        same as setDirection,
        same as toggleDirection,
      };`,
  },
  { module: '/table/header-cell/sort-menu.js', code: 'export const SortMenu = () => null;' },
  { module: '/table/clear-sort.js', code: 'export const ClearSortButton = () => null;' },
  {
    // The field above the items of a long menu: 2 kB.
    module: '/button-dropdown/filter.js',
    code: 'export default () => null;',
  },
  {
    // Reads files of the Amplify command line; the portal configures the library directly: 3 kB.
    module: '/@aws-amplify/core/dist/esm/utils/parseAmplifyConfig.mjs',
    code: 'export const parseAmplifyConfig = (config) => config;',
  },
];

/** Asynchronous functions of Amplify for passwords (SRP), which no sign-in of the portal needs: 7 kB. */
const onDemand: readonly string[] = [
  'srp/getAuthenticationHelper',
  'handlePasswordVerifierChallenge',
  'handleDeviceSRPAuth',
];
const ON_DEMAND = '?on-demand';

/**
 * Modules without an export that the portal uses, which bundlers keep for their effects: the
 * listener for the hosted sign-in page of Cognito, a cache, texts of Amplify, and SHA-256.
 */
const useless =
  /\/(?:@aws-amplify\/auth\/.+\/(?:signInWithRedirect|enableOAuthListener)\.mjs|@aws-amplify\/core\/dist\/esm\/(?:Cache|I18n)\/index\.mjs|@aws-crypto\/.+\.js)$/;

/** Leaves out parts of Cloudscape and Amplify that the portal does not use. */
export function leaveOutUnusedParts(): Plugin {
  const replacements = [
    ...unused,
    ...onDemand.map((path) => ({
      module: `/@aws-amplify/auth/dist/esm/providers/cognito/utils/${path}.mjs`,
      code: undefined,
    })),
  ];
  const missing = new Set(replacements.map(({ module }) => module));
  return {
    name: 'leave-out-unused-parts',
    enforce: 'pre',
    apply: 'build',
    transform: {
      filter: { id: /\/node_modules\/@(?:cloudscape-design|aws-amplify|aws-crypto)\// },
      handler(_code, id) {
        if (useless.test(id)) return { moduleSideEffects: false };
        const found = replacements.find(({ module }) => id.endsWith(module));
        if (found === undefined) return null;
        missing.delete(found.module);
        return { code: found.code ?? loadedOnDemand(id), map: null };
      },
    },
    buildEnd(error) {
      if (error === undefined && missing.size > 0)
        this.error(`The libraries no longer have ${[...missing].join(', ')}.`);
    },
  };
}

/** A module whose only function loads the original module when it is called. */
function loadedOnDemand(id: string): string {
  const name = /([^/]+)\.mjs$/.exec(id)?.[1] ?? '';
  return `export const ${name} = async (...args) => (await import(${JSON.stringify(id + ON_DEMAND)})).${name}(...args);`;
}
