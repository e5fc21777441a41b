import type { RecentItem, SearchHit } from '@deviceportal/contract/session';

export interface PaletteItem {
  readonly id: string;
  readonly section: 'results' | 'places' | 'recent';
  readonly label: string;
  readonly detail: string;
  readonly act: () => void;
}

/** Where a found or remembered thing lives. */
export function pathOf(kind: SearchHit['kind'] | RecentItem['kind'], id: string): string {
  const value = encodeURIComponent(id);
  switch (kind) {
    case 'device':
      return `/devices/${value}`;
    case 'document':
      return `/documents/${value}`;
    case 'person':
      return `/reports/user-report?user=${value}`;
    case 'run':
      return `/commands?sel=${value}`;
    case 'invocation':
      return `/commands?sel=${value}`;
  }
}
