import { createRootRoute, createRoute, redirect, stripSearchParams } from '@tanstack/react-router';
import {
  accessGrantsDefaults,
  accessGrantsSearch,
} from '../access/access-grants/access-grants-search.ts';
import { legalHoldsDefaults, legalHoldsSearch } from '../legal-holds/legal-holds-search.ts';
import {
  reviewDefaults,
  reviewSearch,
  reviewsDefaults,
  reviewsSearch,
} from '../access/reviews/reviews-search.ts';
import {
  roleDefaults,
  roleSearch,
  rolesDefaults,
  rolesSearch,
} from '../access/roles/roles-search.ts';
import { usersDefaults, usersSearch } from '../access/users/users-search.ts';
import { airBlastsDefaults, airBlastsSearch } from '../air-blast/air-blasts-search.ts';
import { activateDefaults, activateSearch } from '../api-tokens/activate/activate-search.ts';
import { alertsDefaults, alertsSearch } from '../alerts/alerts-search.ts';
import { apiCallsDefaults, apiCallsSearch } from '../api-calls/api-calls-search.ts';
import { auditTrailDefaults, auditTrailSearch } from '../audit-trail/audit-trail-search.ts';
import { casesDefaults, casesSearch } from '../cases/cases-search.ts';
import { commandDefaults, commandSearch } from '../commands/catalog/command-search.ts';
import { runsDefaults, runsSearch } from '../commands/runs/runs-search.ts';
import { deviceDefaults, deviceSearch } from '../devices/device-search.ts';
import { devicesDefaults, devicesSearch } from '../devices/devices-search.ts';
import { documentDefaults, documentSearch } from '../documents/document-search.ts';
import { documentsDefaults, documentsSearch } from '../documents/documents-search.ts';
import { providerDefaults, providerSearch } from '../identity-provider/provider-search.ts';
import { importsDefaults, importsSearch } from '../imports/imports-search.ts';
import { mapDefaults, mapSearch } from '../locations/map-search.ts';
import { fleetMetricsDefaults, fleetMetricsSearch } from '../metrics/fleet/fleet-metrics-search.ts';
import { userReportDefaults, userReportSearch } from '../reports/user-report-search.ts';
import { versionsDefaults, versionsSearch } from '../versions/versions-search.ts';
import { loadAllWords } from '../i18n/language-store.ts';
import { nextPath } from '../session/next-path.ts';
import { NotFoundPage } from './not-found-page.tsx';
import { PortalApp } from './portal-app.tsx';
import { RouteError } from './route-error.tsx';

/** Loads the texts of the other screens with the first screen that is not the device list. */
async function withWords<Page>(page: Promise<{ readonly Route: Page }>): Promise<Page> {
  const [{ Route }] = await Promise.all([page, loadAllWords()]);
  return Route;
}

const root = createRootRoute({
  component: PortalApp,
  notFoundComponent: NotFoundPage,
  errorComponent: RouteError,
});

/**
 * All routes of the portal. Each page is a separate chunk, loaded on the first visit or when its
 * link is hovered.
 */
const home = createRoute({ getParentRoute: () => root, path: '/' }).lazy(() =>
  withWords(import('../home/home-page.tsx')),
);

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/signin',
  // Requires a session. The sign-in page is a separate entry without the router.
  beforeLoad: ({ location }) => {
    throw redirect({ href: nextPath(location.searchStr) });
  },
});

const devices = createRoute({
  getParentRoute: () => root,
  path: '/devices',
  validateSearch: devicesSearch,
  search: { middlewares: [stripSearchParams(devicesDefaults)] },
}).lazy(() => import('../devices/devices-page.tsx').then((module) => module.Route));

const metrics = createRoute({
  getParentRoute: () => root,
  path: '/device-metrics',
  validateSearch: fleetMetricsSearch,
  search: { middlewares: [stripSearchParams(fleetMetricsDefaults)] },
}).lazy(() => withWords(import('../metrics/fleet/fleet-metrics-page.tsx')));

const map = createRoute({
  getParentRoute: () => root,
  path: '/map',
  validateSearch: mapSearch,
  search: { middlewares: [stripSearchParams(mapDefaults)] },
}).lazy(() => withWords(import('../locations/map-page.tsx')));

const device = createRoute({
  getParentRoute: () => root,
  path: '/devices/$id',
  validateSearch: deviceSearch,
  search: { middlewares: [stripSearchParams(deviceDefaults)] },
}).lazy(() => withWords(import('../devices/device-page.tsx')));

const documents = createRoute({
  getParentRoute: () => root,
  path: '/documents',
  validateSearch: documentsSearch,
  search: { middlewares: [stripSearchParams(documentsDefaults)] },
}).lazy(() => withWords(import('../documents/documents-page.tsx')));

const document = createRoute({
  getParentRoute: () => root,
  path: '/documents/$id',
  validateSearch: documentSearch,
  search: { middlewares: [stripSearchParams(documentDefaults)] },
}).lazy(() => withWords(import('../documents/document-page.tsx')));

const versions = createRoute({
  getParentRoute: () => root,
  path: '/tavs',
  validateSearch: versionsSearch,
  search: { middlewares: [stripSearchParams(versionsDefaults)] },
}).lazy(() => withWords(import('../versions/versions-page.tsx')));

const airBlasts = createRoute({
  getParentRoute: () => root,
  path: '/air-blast',
  validateSearch: airBlastsSearch,
  search: { middlewares: [stripSearchParams(airBlastsDefaults)] },
}).lazy(() => withWords(import('../air-blast/air-blasts-page.tsx')));

const airBlast = createRoute({ getParentRoute: () => root, path: '/air-blast/$id' }).lazy(() =>
  withWords(import('../air-blast/air-blast-page.tsx')),
);

const airBlastReport = createRoute({
  getParentRoute: () => root,
  path: '/air-blast/$id/report',
}).lazy(() => withWords(import('../air-blast/report-page.tsx')));

const people = createRoute({ getParentRoute: () => root, path: '/people' }).lazy(() =>
  withWords(import('../people/people-page.tsx')),
);

const person = createRoute({ getParentRoute: () => root, path: '/people/$id' }).lazy(() =>
  withWords(import('../people/person-page.tsx')),
);

const imports = createRoute({
  getParentRoute: () => root,
  path: '/imports',
  validateSearch: importsSearch,
  search: { middlewares: [stripSearchParams(importsDefaults)] },
}).lazy(() => withWords(import('../imports/imports-page.tsx')));

const oneImport = createRoute({ getParentRoute: () => root, path: '/imports/$id' }).lazy(() =>
  withWords(import('../imports/import-page.tsx')),
);

const cases = createRoute({
  getParentRoute: () => root,
  path: '/cases',
  validateSearch: casesSearch,
  search: { middlewares: [stripSearchParams(casesDefaults)] },
}).lazy(() => withWords(import('../cases/cases-page.tsx')));

const oneCase = createRoute({ getParentRoute: () => root, path: '/cases/$id' }).lazy(() =>
  withWords(import('../cases/case-page.tsx')),
);

const userReport = createRoute({
  getParentRoute: () => root,
  path: '/reports/user-report',
  validateSearch: userReportSearch,
  search: { middlewares: [stripSearchParams(userReportDefaults)] },
}).lazy(() => withWords(import('../reports/user-report-page.tsx')));

const runs = createRoute({
  getParentRoute: () => root,
  path: '/commands',
  validateSearch: runsSearch,
  search: { middlewares: [stripSearchParams(runsDefaults)] },
}).lazy(() => withWords(import('../commands/catalog/commands-page.tsx')));

const command = createRoute({
  getParentRoute: () => root,
  path: '/commands/$name',
  validateSearch: commandSearch,
  search: { middlewares: [stripSearchParams(commandDefaults)] },
}).lazy(() => withWords(import('../commands/form/command-page.tsx')));

const subCommand = createRoute({
  getParentRoute: () => root,
  path: '/commands/$name/$sub',
  validateSearch: commandSearch,
  search: { middlewares: [stripSearchParams(commandDefaults)] },
}).lazy(() => withWords(import('../commands/form/sub-command-page.tsx')));

const roles = createRoute({
  getParentRoute: () => root,
  path: '/uam/roles',
  validateSearch: rolesSearch,
  search: { middlewares: [stripSearchParams(rolesDefaults)] },
}).lazy(() => withWords(import('../access/roles/roles-page.tsx')));

const role = createRoute({
  getParentRoute: () => root,
  path: '/uam/roles/$id',
  validateSearch: roleSearch,
  search: { middlewares: [stripSearchParams(roleDefaults)] },
}).lazy(() => withWords(import('../access/roles/role-page.tsx')));

const users = createRoute({
  getParentRoute: () => root,
  path: '/uam/users',
  validateSearch: usersSearch,
  search: { middlewares: [stripSearchParams(usersDefaults)] },
}).lazy(() => withWords(import('../access/users/users-page.tsx')));

const user = createRoute({ getParentRoute: () => root, path: '/uam/users/$id' }).lazy(() =>
  withWords(import('../access/users/user-page.tsx')),
);

const accessGrants = createRoute({
  getParentRoute: () => root,
  path: '/uam/temporary-access',
  validateSearch: accessGrantsSearch,
  search: { middlewares: [stripSearchParams(accessGrantsDefaults)] },
}).lazy(() => withWords(import('../access/access-grants/access-grants-page.tsx')));

/** The address in earlier releases, to which emails link. */
const formerAccessGrants = createRoute({
  getParentRoute: () => root,
  path: '/uam/elevations',
  beforeLoad: ({ location }) => {
    throw redirect({ href: `/uam/temporary-access${location.searchStr}` });
  },
});

const accessReviews = createRoute({
  getParentRoute: () => root,
  path: '/uam/access-reviews',
  validateSearch: reviewsSearch,
  search: { middlewares: [stripSearchParams(reviewsDefaults)] },
}).lazy(() => withWords(import('../access/reviews/reviews-page.tsx')));

const accessReview = createRoute({
  getParentRoute: () => root,
  path: '/uam/access-reviews/$id',
  validateSearch: reviewSearch,
  search: { middlewares: [stripSearchParams(reviewDefaults)] },
}).lazy(() => withWords(import('../access/reviews/review-page.tsx')));

const directorySync = createRoute({
  getParentRoute: () => root,
  path: '/uam/directory-sync',
}).lazy(() => withWords(import('../access/directory-sync/directory-sync-page.tsx')));

const apiTokens = createRoute({ getParentRoute: () => root, path: '/uam/api-tokens' }).lazy(() =>
  withWords(import('../api-tokens/api-tokens-page.tsx')),
);

const webhooks = createRoute({ getParentRoute: () => root, path: '/uam/webhooks' }).lazy(() =>
  withWords(import('../webhooks/webhooks-page.tsx')),
);

const webhook = createRoute({ getParentRoute: () => root, path: '/uam/webhooks/$id' }).lazy(() =>
  withWords(import('../webhooks/webhook-page.tsx')),
);

/** The address that applications show with their code. */
const activate = createRoute({
  getParentRoute: () => root,
  path: '/activate',
  validateSearch: activateSearch,
  search: { middlewares: [stripSearchParams(activateDefaults)] },
}).lazy(() => withWords(import('../api-tokens/activate/activate-page.tsx')));

const runPolicy = createRoute({ getParentRoute: () => root, path: '/uam/run-policy' }).lazy(() =>
  withWords(import('../access/run-policy-page.tsx')),
);

const dataSourcesPage = createRoute({
  getParentRoute: () => root,
  path: '/uam/data-sources',
}).lazy(() => withWords(import('../data-sources/data-sources-page.tsx')));

const dataSource = createRoute({
  getParentRoute: () => root,
  path: '/uam/data-sources/$source',
}).lazy(() => withWords(import('../data-sources/data-source-page.tsx')));

const ticketSystem = createRoute({
  getParentRoute: () => root,
  path: '/uam/ticket-system',
}).lazy(() => withWords(import('../tickets/ticket-system-page.tsx')));

const backups = createRoute({ getParentRoute: () => root, path: '/uam/backups' }).lazy(() =>
  withWords(import('../backups/backups-page.tsx')),
);

const keys = createRoute({ getParentRoute: () => root, path: '/uam/keys' }).lazy(() =>
  withWords(import('../access/keys-page.tsx')),
);

const provider = createRoute({
  getParentRoute: () => root,
  path: '/uam/provider',
  validateSearch: providerSearch,
  search: { middlewares: [stripSearchParams(providerDefaults)] },
}).lazy(() => withWords(import('../identity-provider/provider-page.tsx')));

const auditTrail = createRoute({
  getParentRoute: () => root,
  path: '/audit-trail/device',
  validateSearch: auditTrailSearch,
  search: { middlewares: [stripSearchParams(auditTrailDefaults)] },
}).lazy(() => withWords(import('../audit-trail/audit-trail-page.tsx')));

/** The address without the area, which users type. */
const auditTrailArea = createRoute({
  getParentRoute: () => root,
  path: '/audit-trail',
  beforeLoad: ({ location }) => {
    throw redirect({ href: `/audit-trail/device${location.searchStr}` });
  },
});

const alerts = createRoute({
  getParentRoute: () => root,
  path: '/alerts',
  validateSearch: alertsSearch,
  search: { middlewares: [stripSearchParams(alertsDefaults)] },
}).lazy(() => withWords(import('../alerts/alerts-page.tsx')));

const legalHolds = createRoute({
  getParentRoute: () => root,
  path: '/legal-holds',
  validateSearch: legalHoldsSearch,
  search: { middlewares: [stripSearchParams(legalHoldsDefaults)] },
}).lazy(() => withWords(import('../legal-holds/legal-holds-page.tsx')));

const apiCalls = createRoute({
  getParentRoute: () => root,
  path: '/api-calls',
  validateSearch: apiCallsSearch,
  search: { middlewares: [stripSearchParams(apiCallsDefaults)] },
}).lazy(() => withWords(import('../api-calls/api-calls-page.tsx')));

const glossary = createRoute({ getParentRoute: () => root, path: '/glossary' }).lazy(() =>
  withWords(import('../glossary/glossary-page.tsx')),
);

const guide = createRoute({ getParentRoute: () => root, path: '/guides/$name' }).lazy(() =>
  withWords(import('../help/guides/guide-page.tsx')),
);

const profile = createRoute({ getParentRoute: () => root, path: '/profile' }).lazy(() =>
  withWords(import('../profile/profile-page.tsx')),
);

export const routeTree = root.addChildren([
  home,
  signIn,
  devices,
  device,
  metrics,
  map,
  documents,
  document,
  versions,
  airBlasts,
  airBlast,
  airBlastReport,
  people,
  person,
  imports,
  oneImport,
  cases,
  oneCase,
  userReport,
  runs,
  command,
  subCommand,
  roles,
  role,
  users,
  user,
  accessGrants,
  formerAccessGrants,
  accessReviews,
  accessReview,
  directorySync,
  apiTokens,
  webhooks,
  webhook,
  activate,
  runPolicy,
  dataSourcesPage,
  dataSource,
  ticketSystem,
  backups,
  keys,
  provider,
  auditTrail,
  auditTrailArea,
  alerts,
  legalHolds,
  apiCalls,
  glossary,
  guide,
  profile,
]);
