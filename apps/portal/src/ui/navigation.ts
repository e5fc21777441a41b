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
  { key: null, places: [{ key: 'shell.nav.home', href: '/', letter: 'h' }] },
  {
    key: 'shell.nav.support',
    places: [
      { key: 'shell.nav.people', href: '/people', permission: 'people:read', letter: 'e' },
      {
        key: 'shell.nav.cases',
        href: '/cases',
        permission: 'cases:read',
        orPermission: 'cases:manage',
        letter: 's',
      },
    ],
  },
  {
    key: 'shell.nav.operate',
    places: [
      { key: 'shell.nav.devices', href: '/devices', permission: 'devices:read', letter: 'd' },
      { key: 'shell.nav.map', href: '/map', permission: 'locations:read', letter: 'm' },
      { key: 'shell.nav.commands', href: '/commands', permission: 'commands:read', letter: 'c' },
      { key: 'shell.nav.documents', href: '/documents', permission: 'documents:read', letter: 'o' },
      { key: 'shell.nav.versions', href: '/tavs', permission: 'versions:read', letter: 'v' },
      {
        key: 'shell.nav.airBlast',
        href: '/air-blast',
        permission: 'air-blast:run',
        orPermission: 'air-blast:approve',
        letter: 'a',
      },
    ],
  },
  {
    key: 'shell.nav.evidence',
    places: [
      {
        key: 'shell.nav.userReport',
        href: '/reports/user-report',
        permission: 'reports:create',
        letter: 'u',
      },
      {
        key: 'shell.nav.auditTrail',
        href: '/audit-trail/device',
        permission: 'audit-trail:read',
        letter: 'l',
      },
      { key: 'shell.nav.apiCalls', href: '/api-calls', permission: 'api-calls:read', letter: 'i' },
    ],
  },
  {
    key: 'shell.nav.access',
    places: [
      { key: 'shell.nav.users', href: '/uam/users', permission: 'access:read', letter: 'p' },
      { key: 'shell.nav.roles', href: '/uam/roles', permission: 'access:read', letter: 'r' },
      {
        key: 'shell.nav.elevations',
        href: '/uam/elevations',
        permission: 'access:read',
        letter: 't',
      },
      { key: 'shell.nav.runPolicy', href: '/uam/run-policy', permission: 'access:read' },
      { key: 'shell.nav.keys', href: '/uam/keys', permission: 'access:read' },
      {
        key: 'shell.nav.identityProvider',
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
