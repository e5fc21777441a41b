/** The help of a page or of an area, with the guide that describes its tasks. */
export interface HelpTopic {
  readonly id: string;
  /** A path, which includes the paths below it. */
  readonly path: string;
  /** Only on this tab of the pages. */
  readonly tab?: string;
  /** The name of a file in docs/guides. */
  readonly guide?: string;
}

export const helpTopics: readonly HelpTopic[] = [
  { id: 'home', path: '/', guide: 'search-and-findings' },
  { id: 'people', path: '/people', guide: 'support-cases' },
  { id: 'imports', path: '/imports', guide: 'importing' },
  { id: 'cases', path: '/cases', guide: 'support-cases' },
  { id: 'devices', path: '/devices', guide: 'search-and-findings' },
  { id: 'device', path: '/devices/', guide: 'search-and-findings' },
  { id: 'device-files', path: '/devices/', tab: 'files', guide: 'device-files' },
  { id: 'metrics', path: '/device-metrics', guide: 'metrics' },
  { id: 'map', path: '/map', guide: 'locations' },
  { id: 'alerts', path: '/alerts', guide: 'alerts' },
  { id: 'commands', path: '/commands', guide: 'changing-many-devices' },
  { id: 'documents', path: '/documents', guide: 'writing-documents' },
  { id: 'versions', path: '/tavs', guide: 'software-versions' },
  { id: 'air-blast', path: '/air-blast', guide: 'changing-many-devices' },
  { id: 'user-report', path: '/reports/user-report', guide: 'user-report' },
  { id: 'audit-trail', path: '/audit-trail', guide: 'audit-proof' },
  { id: 'legal-holds', path: '/legal-holds', guide: 'legal-holds' },
  { id: 'api-calls', path: '/api-calls', guide: 'operating' },
  { id: 'users', path: '/uam/users', guide: 'access' },
  { id: 'roles', path: '/uam/roles', guide: 'access' },
  { id: 'temporary-access', path: '/uam/temporary-access', guide: 'access' },
  { id: 'access-reviews', path: '/uam/access-reviews', guide: 'access' },
  { id: 'directory-sync', path: '/uam/directory-sync', guide: 'scim' },
  { id: 'api-tokens', path: '/uam/api-tokens', guide: 'api' },
  { id: 'webhooks', path: '/uam/webhooks', guide: 'webhooks' },
  { id: 'activate', path: '/activate', guide: 'api' },
  { id: 'run-policy', path: '/uam/run-policy', guide: 'changing-many-devices' },
  { id: 'data-sources', path: '/uam/data-sources', guide: 'tables' },
  { id: 'ticket-system', path: '/uam/ticket-system', guide: 'ticket-systems' },
  { id: 'backups', path: '/uam/backups', guide: 'backups' },
  { id: 'keys', path: '/uam/keys', guide: 'secrets' },
  { id: 'identity-provider', path: '/uam/provider', guide: 'provider-for-applications' },
  { id: 'profile', path: '/profile', guide: 'signing-in' },
  { id: 'glossary', path: '/glossary' },
  { id: 'guides', path: '/guides/' },
];

/** The topic of a path: the one with the longest path that includes it, and of its tab if there is one. */
export function helpTopicOf(pathname: string, shownTab?: string): HelpTopic | undefined {
  return helpTopics
    .filter(({ path }) => path === pathname || (path !== '/' && isBelow(pathname, path)))
    .filter(({ tab }) => tab === undefined || tab === shownTab)
    .toSorted((one, other) => rankOf(other) - rankOf(one))[0];
}

/** Of two topics of one path, the one of the tab is first. */
const rankOf = ({ path, tab }: HelpTopic): number => path.length + (tab === undefined ? 0 : 0.5);

const isBelow = (pathname: string, path: string): boolean =>
  pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
