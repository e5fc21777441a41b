import type { Permission } from '@deviceportal/contract/permissions';
import type { MessageKey } from '../i18n/message-key.ts';

export interface Place {
  readonly key: MessageKey;
  readonly href: string;
  /** Absent for all signed-in users. */
  readonly permission?: Permission;
  /** An alternative permission. */
  readonly orPermission?: Permission;
  /** The key after `g`. */
  readonly letter?: string;
}

export interface PlaceGroup {
  readonly key: MessageKey | null;
  readonly places: readonly Place[];
}

/** The source of the side navigation, the pages in the command palette, and the `g` shortcuts. */
const placeGroups: readonly PlaceGroup[] = [
  { key: null, places: [{ key: 'app.nav.home', href: '/', letter: 'h' }] },
  {
    key: 'app.nav.support',
    places: [
      { key: 'app.nav.people', href: '/people', permission: 'people:read', letter: 'e' },
      {
        key: 'app.nav.cases',
        href: '/cases',
        permission: 'cases:read',
        orPermission: 'cases:manage',
        letter: 's',
      },
    ],
  },
  {
    key: 'app.nav.operate',
    places: [
      { key: 'app.nav.devices', href: '/devices', permission: 'devices:read', letter: 'd' },
      { key: 'app.nav.metrics', href: '/device-metrics', permission: 'devices:read' },
      { key: 'app.nav.map', href: '/map', permission: 'locations:read', letter: 'm' },
      { key: 'app.nav.alerts', href: '/alerts', permission: 'alerts:read' },
      { key: 'app.nav.commands', href: '/commands', permission: 'commands:read', letter: 'c' },
      { key: 'app.nav.documents', href: '/documents', permission: 'documents:read', letter: 'o' },
      { key: 'app.nav.versions', href: '/tavs', permission: 'versions:read', letter: 'v' },
      {
        key: 'app.nav.airBlast',
        href: '/air-blast',
        permission: 'air-blast:run',
        orPermission: 'air-blast:approve',
        letter: 'a',
      },
    ],
  },
  {
    key: 'app.nav.evidence',
    places: [
      {
        key: 'app.nav.userReport',
        href: '/reports/user-report',
        permission: 'reports:create',
        letter: 'u',
      },
      {
        key: 'app.nav.auditTrail',
        href: '/audit-trail/device',
        permission: 'audit-trail:read',
        letter: 'l',
      },
      { key: 'app.nav.legalHolds', href: '/legal-holds', permission: 'legal-holds:read' },
      { key: 'app.nav.apiCalls', href: '/api-calls', permission: 'api-calls:read', letter: 'i' },
    ],
  },
  {
    key: 'app.nav.access',
    places: [
      { key: 'app.nav.users', href: '/uam/users', permission: 'access:read', letter: 'p' },
      { key: 'app.nav.roles', href: '/uam/roles', permission: 'access:read', letter: 'r' },
      {
        key: 'app.nav.accessGrants',
        href: '/uam/temporary-access',
        permission: 'access:read',
        letter: 't',
      },
      { key: 'app.nav.accessReviews', href: '/uam/access-reviews', permission: 'access:read' },
      { key: 'app.nav.directorySync', href: '/uam/directory-sync', permission: 'access:read' },
      { key: 'app.nav.apiTokens', href: '/uam/api-tokens', permission: 'access:read' },
      { key: 'app.nav.webhooks', href: '/uam/webhooks', permission: 'webhooks:manage' },
      { key: 'app.nav.runPolicy', href: '/uam/run-policy', permission: 'access:read' },
      { key: 'app.nav.dataSources', href: '/uam/data-sources', permission: 'access:read' },
      { key: 'app.nav.ticketSystem', href: '/uam/ticket-system', permission: 'access:manage' },
      { key: 'app.nav.backups', href: '/uam/backups', permission: 'access:read' },
      { key: 'app.nav.keys', href: '/uam/keys', permission: 'access:read' },
      {
        key: 'app.nav.identityProvider',
        href: '/uam/provider',
        permission: 'provider:read',
      },
    ],
  },
];

export const places: readonly Place[] = placeGroups.flatMap((group) => group.places);

/** Places that the viewer can see, without empty groups. */
export function visibleGroups(may: (permission: Permission) => boolean): PlaceGroup[] {
  return placeGroups
    .map((group) => ({
      ...group,
      places: group.places.filter(
        ({ permission, orPermission }) =>
          permission === undefined ||
          may(permission) ||
          (orPermission !== undefined && may(orPermission)),
      ),
    }))
    .filter((group) => group.places.length > 0);
}

/** The place of a path: the one with the longest matching prefix. */
export function placeOf(path: string): Place | undefined {
  return places
    .filter(({ href }) => href === path || (href !== '/' && path.startsWith(`${href}/`)))
    .toSorted((one, other) => other.href.length - one.href.length)[0];
}
