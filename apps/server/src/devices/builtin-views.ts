import type { SavedView } from '@deviceportal/contract/devices';

/** Views that ship with the portal. The screen finds their words by id; `name` is the English one. */
const shipped: readonly Pick<SavedView, 'id' | 'name' | 'search'>[] = [
  {
    id: 'builtin-needs-attention',
    name: 'Needs attention',
    search: { q: 'connectivity=offline,degraded;lifecycle=active' },
  },
  {
    id: 'builtin-offline-over-a-day',
    name: 'Offline > 24 h',
    search: { q: 'connectivity=offline;lastSeen<=-24h' },
  },
  { id: 'builtin-degraded', name: 'Degraded', search: { q: 'connectivity=degraded' } },
  { id: 'builtin-disk-full', name: 'Disk full', search: { q: 'failing=disk' } },
  { id: 'builtin-never-connected', name: 'Never connected', search: { q: 'connectivity=never' } },
  { id: 'builtin-suspended', name: 'Suspended', search: { q: 'lifecycle=suspended' } },
];

export function builtinViews(screen: string): SavedView[] {
  if (screen !== 'devices') return [];
  return shipped.map((view) => ({
    ...view,
    screen,
    mine: false,
    sharedWithRole: null,
    builtin: true,
  }));
}
