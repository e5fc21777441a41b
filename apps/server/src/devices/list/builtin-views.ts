import type { SavedView } from '@deviceportal/contract/devices';

/** Views that ship with the portal. The portal translates them by ID; `name` is the English text. */
const shipped: readonly Pick<SavedView, 'id' | 'name' | 'search'>[] = [
  {
    id: 'builtin-needs-attention',
    name: 'Needs attention',
    search: { q: 'connectivity=offline,degraded;lifecycle=active' },
  },
  {
    id: 'builtin-offline-over-a-day',
    name: 'Offline for more than 24 hours',
    search: { q: 'connectivity=offline;lastSeen<=-24h' },
  },
  { id: 'builtin-degraded', name: 'Degraded', search: { q: 'connectivity=degraded' } },
  { id: 'builtin-disk-full', name: 'Disk full', search: { q: 'failing=disk' } },
  { id: 'builtin-never-connected', name: 'Never connected', search: { q: 'connectivity=never' } },
  { id: 'builtin-suspended', name: 'Suspended', search: { q: 'lifecycle=suspended' } },
];

const ofTheTrail: typeof shipped = [
  {
    id: 'builtin-access-changes',
    name: 'Access changes',
    search: {
      q: 'event=access.role-created,access.role-edited,access.role-deleted,access.user-invited,access.user-roles-changed,access.user-status-changed,access.elevation-granted,access.elevation-ended',
      t: '30d',
    },
  },
  {
    id: 'builtin-places-looked-at',
    name: 'Precise locations viewed',
    search: { q: 'event=device.location-viewed', t: '30d' },
  },
  {
    id: 'builtin-exports',
    name: 'Exports and downloads',
    search: {
      q: 'event=audit-trail.exported,report.downloaded,report.shared,device.list-exported,command.results-exported,evidence.exported',
      t: '30d',
    },
  },
];

const byScreen: Readonly<Record<string, typeof shipped>> = {
  devices: shipped,
  'audit-trail': ofTheTrail,
};

export function builtinViews(screen: string): SavedView[] {
  return (byScreen[screen] ?? []).map((view) => ({
    ...view,
    screen,
    mine: false,
    sharedWithRole: null,
    builtin: true,
  }));
}
