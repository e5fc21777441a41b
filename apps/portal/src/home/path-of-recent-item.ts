import type { RecentItem } from '@deviceportal/contract/session';

/** The path of a recent item. */
export function pathOfRecentItem(kind: RecentItem['kind'], id: string): string {
  const value = encodeURIComponent(id);
  switch (kind) {
    case 'device':
      return `/devices/${value}`;
    case 'document':
      return `/documents/${value}`;
    case 'person':
      return `/people/${value}`;
    case 'run':
      return `/commands?sel=${value}`;
  }
}
