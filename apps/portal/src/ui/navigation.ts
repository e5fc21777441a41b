import type { Permission } from '@deviceportal/contract/permissions';
import type { MessageKey } from '../i18n/message-key.ts';

export interface Place {
  readonly key: MessageKey;
  readonly href: string;
  /** Absent: for everyone who is signed in. */
  readonly permission?: Permission;
  /** Another right that shows it as well. */
  readonly orPermission?: Permission;
  /** The letter after `g`. */
  readonly letter?: string;
}

export interface PlaceGroup {
  readonly key: MessageKey | null;
  readonly places: readonly Place[];
}

/** The side navigation, the palette's pages and the `g` shortcuts are all made from this. */
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
      { key: 'app.nav.map', href: '/map', permission: 'locations:read', letter: 'm' },
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
      { key: 'app.nav.runPolicy', href: '/uam/run-policy', permission: 'access:read' },
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

/** What the viewer may see, without groups that are empty then. */
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

/** The place that a path belongs to: the longest that it starts with. */
export function placeOf(path: string): Place | undefined {
  return places
    .filter(({ href }) => href === path || (href !== '/' && path.startsWith(`${href}/`)))
    .toSorted((one, other) => other.href.length - one.href.length)[0];
}
